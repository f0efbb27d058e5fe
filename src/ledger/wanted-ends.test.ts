import { describe, expect, it } from "vitest";
import { CountersignError } from "../contract/errors.ts";
import type { StopReason } from "../contract/words.ts";
import { endAfterFault, endByView, mostRounds } from "./wanted-ends.ts";

const stopped = (reason: StopReason) => ({ id: "d", stop: { reason, node: "llm_decision", detail: "" } });
const fault = (code: ConstructorParameters<typeof CountersignError>[0], facts = {}) => new CountersignError(code, "-", { facts });

describe("what becomes of a wanted decision", () => {
  it.each(["model_unavailable", "record_unavailable", "knowledge_unavailable", "abandoned", "cancelled"] as const)(
    "is to be made anew, later and later, where one ended as %s, and has failed after five",
    (reason) => {
      const ends = Array.from({ length: mostRounds }, (_, round) => endByView({ attempts: round + 1, round }, stopped(reason)));
      expect(ends.map((end) => (end.state === "waiting" ? end.afterMs : end))).toEqual([
        ...[2_000, 8_000, 32_000, 120_000],
        { state: "failed", code: reason, decisionId: "d" },
      ]);
      expect(ends[0]).toMatchObject({ isRecorded: true, isCounted: false });
    },
  );

  it.each(["not_in_sources", "blocked_by_guard", "non_conforming_output", "node_failed", "reference_unresolved"] as const)(
    "stands where it was stopped for %s",
    (reason) => {
      expect(endByView({ attempts: 1, round: 0 }, stopped(reason))).toEqual({ state: "made", decisionId: "d" });
    },
  );

  it("waits where another process decides it, without counting", () => {
    const end = endAfterFault({ attempts: 1, round: 0 }, fault("in_progress"));
    expect(end).toEqual({ state: "waiting", afterMs: 5_000, isRecorded: false, isCounted: false });
  });

  it("has failed where asking again mends nothing, and names the decision that was recorded", () => {
    const end = endAfterFault({ attempts: 1, round: 0 }, fault("input_invalid", { decisionId: "d" }));
    expect(end).toEqual({ state: "failed", code: "input_invalid", decisionId: "d" });
    expect(endAfterFault({ attempts: 1, round: 0 }, fault("unknown_capability"))).toMatchObject({ decisionId: null });
  });

  it("is asked under the same key where nobody knows whether one was recorded", () => {
    for (const thrown of [fault("database_unavailable"), fault("decision_failed"), new Error("x"), "x"]) {
      const end = endAfterFault({ attempts: 2, round: 0 }, thrown);
      expect(end).toEqual({ state: "waiting", afterMs: 8_000, isRecorded: false, isCounted: true });
    }
  });
});
