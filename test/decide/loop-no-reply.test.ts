import { describe, expect, it } from "vitest";
import { spentBy } from "../../src/decide/loop-state.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { systemDeadline } from "../../src/store/clock.ts";
import { fixedClock, testTime } from "../../src/testing/index.ts";
import { askedModel, decide, lamp, priced, steps, traceOf, unfinished } from "./loop-run.ts";
import { scripted } from "./scripted.ts";

describe("a step without a reply that fits", () => {
  it("ends a call of the model that its time does not allow, and counts what it cost", async () => {
    const hanging = { name: "scripted", isScripted: true, complete: () => new Promise<never>(() => {}) };
    const ports = { clock: fixedClock(testTime), deadline: systemDeadline, random: () => 0 };
    const model = createGateway({ ...ports, providers: [hanging] });
    const caps = { ms: 20, tokens: 1_000, costMicros: 1_000 };
    const record = await decide(steps(), { looped: { caps }, deps: { model } });
    expect(record).toMatchObject({ ...unfinished("loop_cap_hit"), ...askedModel, loop: { steps: 1 } });
    expect(record.calls).toMatchObject([{ step: 1, outcome: "failed", fault: "cancelled", isUsageAssumed: true }]);
    expect(traceOf(record)).toMatchObject([{ step: 1, tool: null, outcome: "no_reply", fault: null, found: [] }]);
    expect(traceOf(record)[0]).toMatchObject(spentBy(record.calls));
    expect(traceOf(record)[0]?.tokens).toBeGreaterThan(0);
  });

  it.each([
    ["never fits", "no JSON", "non_conforming_output", 3],
    ["does not come", null, "model_unavailable", 1],
  ] as const)("ends where a reply %s, and counts what it cost", async (_what, reply, reason, attempts) => {
    const line = (step: number, text: string) => ({ purpose: "step", step, when: /./, replies: [text] }) as const;
    const script = scripted([line(1, lamp), ...(reply === null ? [] : [line(2, reply)])]);
    const record = await decide(script, { deps: { model: priced(script) } });
    expect(record).toMatchObject({ kind: "stopped", stop: { reason }, ...askedModel, loop: { steps: 2 } });
    expect(traceOf(record)).toMatchObject([{ outcome: "read" }, { step: 2, tool: null, arguments: null, outcome: "no_reply" }]);
    const calls = record.calls.filter(({ step }) => step === 2);
    expect(calls).toHaveLength(attempts);
    expect(traceOf(record)[1]).toMatchObject(spentBy(calls));
    expect(traceOf(record)[1]?.costMicros).toBe(5 * attempts);
    // What was found before it is known to whoever takes it over.
    expect(record.bodies["context"]).toHaveLength(2);
  });
});
