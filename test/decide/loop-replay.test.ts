import { describe, expect, it } from "vitest";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import { type Replay, replayDecision } from "../../src/decide/replay/replay.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { replayGateway } from "../../src/gateway/replay.ts";
import { decisionDraft } from "../../src/ledger/decision-entry.ts";
import { systemDeadline } from "../../src/store/clock.ts";
import { createTestDeps, fixedClock, scriptedProvider, testTime } from "../../src/testing/index.ts";
import { decide, lamp, steps } from "./loop-run.ts";
import { burnt, ends, findFault } from "./loop-samples.ts";

const kept = { keepsInputs: true };

describe("a replay of a loop", () => {
  it.each([
    ["decided", [lamp, ends(burnt)]],
    ["had a reply that never fitted", [lamp, "no JSON"]],
    ["had a step without a reply", [lamp]],
    ["went in a circle", [lamp, lamp]],
  ])("that %s ends in the same way", async (_what, replies) => {
    const record = await decide(steps(...replies), { own: kept });
    expect(await replay(record)).toMatchObject({ kind: "same" });
  });

  it("that was cut short while a reply was waited for says that time is not kept", async () => {
    const script = scriptedProvider({ name: "scripted", lines: [{ purpose: "step", step: 1, when: /./, replies: [lamp] }] });
    const complete: typeof script.complete = (request, cancel) =>
      request.step === 1 ? script.complete(request, cancel) : new Promise<never>(() => {});
    const ports = { clock: fixedClock(testTime), deadline: systemDeadline, random: () => 0 };
    const model = createGateway({ ...ports, providers: [{ ...script, complete }] });
    const caps = { ms: 50, tokens: 10_000, costMicros: 1_000 };
    const record = await decide(steps(), { own: kept, looped: { caps }, deps: { model } });
    expect(record).toMatchObject({ rule: "loop_cap_hit", loop: { steps: 2 } });
    expect(await replay(record)).toEqual({ kind: "cannot", missing: expect.stringContaining("time is not kept") });
  });
});

/** Replays a record under the definitions of the sample, as the ledger would hold it. */
function replay(record: DecisionRecord): Promise<Replay> {
  const booked = (one: DecisionRecord) => {
    const { kind, facts, bodies } = decisionDraft(one, "");
    return { kind, facts, bodies };
  };
  const { tenant } = record.request.principal;
  const { digest, deadline, permit } = createTestDeps({ capability: findFault(kept) });
  const { decisionId, entryId } = record.request;
  return replayDecision(
    { ...booked(record), tenant, decisionId, entryId, cause: null, at: record.at },
    { capabilityFor: () => findFault(kept), modelOver: replayGateway, booked, digest, deadline, permit },
  );
}
