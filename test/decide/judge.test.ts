import { describe, expect, it } from "vitest";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import { proposeForTest } from "../../src/testing/index.ts";
import { goodLoan, lendProjector, model, sampleContext } from "./samples.ts";
import { type Scripted, scripted } from "./scripted.ts";

const agrees = JSON.stringify({ agrees: true, surePercent: 80, reason: "it is free" });
const open = { thresholdPpm: async () => 500_000 };

describe("the judge", () => {
  it("is not asked where the capability has none or its rate is 0, and its weight goes to the others", async () => {
    const script = judging(agrees);
    for (const own of [{ judge: null }, {}]) {
      const record = await decide(script, { ratePpm: 0, ...own });
      expect(record.bodies["judged"]).toEqual({ kind: "not_sampled" });
      expect(record.signals.map(({ name }) => name)).toEqual(["verification", "model"]);
    }
    expect(script.sent.map(({ purpose }) => purpose)).toEqual(["decide", "decide"]);
  });

  it("is asked in the sample, with its own model and prompt over the decision, and its score counts", async () => {
    const script = judging(agrees);
    const record = await decide(script, {});
    expect(record).toMatchObject({ kind: "decided", route: "auto", bodies: { judged: { kind: "scored", ppm: 800_000 } } });
    expect(record.signals).toContainEqual({ name: "judge", ppm: 800_000, weightPpm: 200_000 });
    expect(script.sent[1]).toMatchObject({
      purpose: "judge",
      system: "You check loans.",
      messages: [{ text: "pr-1" }],
      model: { id: "judge-2026-01-01" },
    });
    expect(record.calls.map(({ node, purpose }) => [node, purpose])).toEqual([
      ["llm_decision", "decide"],
      ["judge", "judge"],
    ]);
  });

  it("takes a sure disagreement for no confidence at all", async () => {
    const record = await decide(judging(JSON.stringify({ agrees: false, surePercent: 100, reason: "it is lent" })), {});
    expect(record.signals).toContainEqual({ name: "judge", ppm: 0, weightPpm: 200_000 });
  });

  it("decides by the decision's id alone whether it is asked", async () => {
    const ids = Array.from({ length: 40 }, (_none, place) => `decision-${place}`);
    const ask = async () => {
      const records = await Promise.all(ids.map((decisionId) => decide(judging(agrees), { ratePpm: 500_000, decisionId })));
      return records.map(({ calls }) => calls.some(({ node }) => node === "judge"));
    };
    const asked = await ask();
    expect(await ask()).toEqual(asked);
    expect(new Set(asked)).toEqual(new Set([true, false]));
  });

  it("is always asked where risk is high, whatever its rate", async () => {
    const record = await decide(judging(agrees), { ratePpm: 0, days: 31 });
    expect(record).toMatchObject({ bodies: { judged: { kind: "scored" } }, route: "hitl_recommended", loweredBy: ["risk_high"] });
    expect(await decide(judging(agrees), { ratePpm: 0, days: 30 })).toMatchObject({
      bodies: { judged: { kind: "not_sampled" } },
    });
  });

  it.each<[string, Scripted, number]>([
    ["replies prose", judging("I agree."), 3],
    ["is surer than sure", judging(JSON.stringify({ agrees: true, surePercent: 101, reason: "" })), 3],
    ["says 0.9 for 90", judging(JSON.stringify({ agrees: true, surePercent: 0.9, reason: "" })), 3],
    ["does not answer", scripted([{ purpose: "decide", when: /./, replies: [JSON.stringify(goodLoan)] }]), 1],
  ])("that %s never lets the decision go auto", async (_what, script, calls) => {
    const record = await decide(script, {});
    expect(record).toMatchObject({
      kind: "decided",
      route: "hitl_required",
      rule: "judge_failed",
      bodies: { judged: { kind: "failed" } },
    });
    expect(record.calls.filter(({ node }) => node === "judge")).toHaveLength(calls);
    expect(record.signals.map(({ name }) => name)).not.toContain("judge");
  });

  it("that fails keeps an answer back too, which needs no approval otherwise", async () => {
    const record = await decide(judging("I agree."), { propose: () => ({ summary: "No projector fits" }) });
    expect(record).toMatchObject({ route: "hitl_required", rule: "judge_failed" });
  });

  it("is retried like any call", async () => {
    expect(await decide(judging("I agree.", agrees), {})).toMatchObject({ bodies: { judged: { kind: "scored" } } });
  });
});

function judging(...replies: readonly string[]): Scripted {
  return scripted([
    { purpose: "decide", when: /./, replies: [JSON.stringify(goodLoan)] },
    { purpose: "judge", when: /./, replies },
  ]);
}

type Own = Parameters<typeof lendProjector>[0] & { ratePpm?: number; days?: number; decisionId?: string };

function decide(script: Scripted, { ratePpm = 1_000_000, days = 3, decisionId = "d-1", ...own }: Own): Promise<DecisionRecord> {
  const capability = lendProjector({
    judge: {
      ratePpm,
      version: "j1",
      model: { ...model, id: "judge-2026-01-01" },
      prompt: ({ decision }) => ({ system: "You check loans.", messages: [{ role: "user", text: decision.projector }] }),
    },
    ...own,
  });
  const deps = { model: script.model, context: sampleContext(), slices: open };
  return proposeForTest({ capability, inputs: { text: "a projector, please", days }, request: { decisionId }, deps });
}
