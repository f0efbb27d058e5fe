import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import type { CapabilityDefinition } from "../../src/define/capability.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { systemDeadline } from "../../src/store/clock.ts";
import { cancelSwitch, fixedClock, proposeForTest, testTime } from "../../src/testing/index.ts";
import { goodLoan, lendProjector, sampleContext } from "./samples.ts";
import { deciding, type Scripted, scripted } from "./scripted.ts";

const inputs = { text: "a projector, please", days: 3 };
const good = JSON.stringify(goodLoan);
const bad: readonly [string, string][] = [
  ["prose", "Sure, take projector pr-1."],
  ["prose around it", `Here it is: ${good}`],
  ["a code fence", `\`\`\`json\n${good}\n\`\`\``],
  ["two values", `${good}${good}`],
  ["a cut value", good.slice(0, -5)],
  ["nothing", ""],
  ["an extra key", JSON.stringify({ ...goodLoan, force: true })],
  ["a duplicate key", good.replace("{", '{"sure":1,')],
  ["a duplicate key in another spelling", good.replace("{", '{"\\u0073ure":1,')],
  ["a missing key", JSON.stringify({ ...goodLoan, note: undefined })],
  ["a number as a string", good.replace("90", '"90"')],
  ["a locale's number", good.replace("90", "15.500")],
  ["NaN", good.replace("90", "NaN")],
  ["a number out of range", good.replace("90", "9E1874")],
  ["an integer out of range", good.replace("90", "9007199254740993")],
  ["a value outside an enum", good.replace("good", "perfect")],
  ["an enum's value in other case", good.replace("good", "Good")],
  ["an over-long string", good.replace("bright enough", "x".repeat(61))],
  ["null", "null"],
  ["a list", `[${good}]`],
];

describe("structured output", () => {
  it("takes a reply that fits at once", async () => {
    const script = deciding(good);
    const record = await decide(script);
    expect(script.sent).toHaveLength(1);
    expect(record).toMatchObject({
      kind: "decided",
      model: "scripted/desk-2026-02-01",
      prompt: "p1",
      proposal: { summary: "Lend pr-1" },
    });
    expect(record.calls).toMatchObject([
      { node: "llm_decision", purpose: "decide", attempt: 1, outcome: "fits", boundary: "off", reply: good },
    ]);
    // The payload keeps the records whole, for replay.
    expect(record.bodies["replies"]).toEqual(record.calls);
  });

  it.each(bad)("fails closed on %s that never gets better, after three calls", async (_what, reply) => {
    const script = deciding(reply);
    const record = await decide(script);
    expect(script.sent.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(record).toMatchObject({
      kind: "stopped",
      stop: { node: "llm_decision", reason: "non_conforming_output" },
      route: "reject",
      rule: "non_conforming_output",
      proposal: null,
    });
    expect(record.calls.map(({ outcome, reply: kept }) => [outcome, kept])).toEqual([1, 2, 3].map(() => ["misfits", reply]));
  });

  it.each(bad)("asks again after %s, with the base prompt and that one error", async (_what, reply) => {
    const script = deciding(reply, good);
    const record = await decide(script);
    const [first, second] = script.sent;
    expect(script.sent).toHaveLength(2);
    expect(record).toMatchObject({ kind: "decided", calls: [{ outcome: "misfits" }, { outcome: "fits" }] });
    expect(second).toMatchObject({ system: first?.system, jsonSchema: first?.jsonSchema, model: first?.model });
    expect(second?.messages.slice(0, -1)).toEqual(first?.messages);
    expect(second?.messages.at(-1)?.text).toContain(record.calls[0]?.problem);
  });

  it("never piles errors up: the third attempt carries the second's error alone", async () => {
    const script = deciding("prose", good.replace("good", "perfect"), good);
    const record = await decide(script);
    const third = script.sent[2]?.messages ?? [];
    expect(third).toHaveLength((script.sent[0]?.messages.length ?? 0) + 1);
    expect(third.at(-1)?.text).toContain(record.calls[1]?.problem);
    expect(third.at(-1)?.text).not.toContain(record.calls[0]?.problem);
    expect(record.kind).toBe("decided");
  });

  it("never calls more than once and `maxRetries` times, nor fewer times than that before it gives up", async () => {
    const replies = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 }), replies, async (maxRetries, fits) => {
        const script = deciding(...fits.map((isGood) => (isGood ? good : "prose")));
        const record = await decide(script, { maxRetries });
        // The last reply of a script repeats.
        const firstGood = fits.indexOf(true);
        const expected = firstGood === -1 || firstGood > maxRetries ? maxRetries + 1 : firstGood + 1;
        expect(script.sent).toHaveLength(expected);
        expect(record.kind).toBe(firstGood !== -1 && firstGood <= maxRetries ? "decided" : "stopped");
      }),
      { numRuns: 60 },
    );
  });

  it("holds a rule to the same schema, without calling a model", async () => {
    const rule = (value: unknown) => ({ deciding: { kind: "rule" as const, version: "r1", rule: () => value } });
    expect(await decide(deciding(good), rule({ ...goodLoan, fit: "perfect" }))).toMatchObject({
      stop: { reason: "non_conforming_output" },
      route: "reject",
      model: "none",
      prompt: "rule r1",
      calls: [],
    });
    expect(await decide(deciding(good), rule(goodLoan))).toMatchObject({
      kind: "decided",
      model: "none",
      prompt: "rule r1",
      calls: [],
    });
  });

  it("does not ask again where no reply came, and says that the model is unavailable", async () => {
    const script = scripted([{ purpose: "decide", when: /never asked/, replies: [good] }]);
    const record = await decide(script);
    expect(script.sent).toHaveLength(1);
    expect(record).toMatchObject({
      kind: "stopped",
      stop: { reason: "model_unavailable" },
      route: null,
      calls: [{ outcome: "failed", reply: "" }],
    });
  });

  it("names no model where the decision ended before one was asked", async () => {
    const empty = await proposeForTest({
      capability: lendProjector(),
      inputs: { ...inputs, days: 99 },
      deps: { model: deciding(good).model, context: sampleContext() },
    });
    expect(empty).toMatchObject({ stop: { reason: "input_invalid" }, model: "none", prompt: "none" });
  });

  it("names the model and the prompt that were asked, whatever kept them from deciding", async () => {
    const asked = { kind: "stopped", model: "scripted/desk-2026-02-01", prompt: "p1" };
    expect(await decide(deciding("prose"))).toMatchObject({ ...asked, stop: { reason: "non_conforming_output" } });
    expect(await decide(scripted([]))).toMatchObject({ ...asked, stop: { reason: "model_unavailable" } });
  });

  it("says `cancelled`, not that the model is away, when it is cancelled in mid-call", async () => {
    const { cancel, fire } = cancelSwitch();
    const complete = () => {
      fire();
      return new Promise<never>(() => {});
    };
    const silent = { name: "scripted", isScripted: true, complete };
    const model = createGateway({ providers: [silent], clock: fixedClock(testTime), deadline: systemDeadline, random: () => 0 });
    const record = await proposeForTest({
      capability: lendProjector(),
      inputs,
      deps: { model, cancel, context: sampleContext() },
    });
    expect(record).toMatchObject({
      kind: "stopped",
      stop: { reason: "cancelled", node: "llm_decision" },
      model: "scripted/desk-2026-02-01",
      prompt: "p1",
      calls: [{ outcome: "failed" }],
    });
    const left = await proposeForTest({ capability: lendProjector(), inputs, deps: { model, cancel, context: sampleContext() } });
    expect(left).toMatchObject({ stop: { reason: "cancelled", node: "entry" }, model: "none", prompt: "none", calls: [] });
  });

  it("stops as `node_failed` where the capability names a provider that nobody registered", async () => {
    const elsewhere = lendProjector();
    const deciding =
      elsewhere.deciding.kind === "prompt"
        ? { ...elsewhere.deciding, model: { ...elsewhere.deciding.model, provider: "elsewhere" } }
        : elsewhere.deciding;
    const { model } = scripted([]);
    const record = await proposeForTest({
      capability: { ...elsewhere, deciding },
      inputs,
      deps: { model, context: sampleContext() },
    });
    expect(record.stop).toMatchObject({ reason: "node_failed", detail: expect.stringContaining("definition_invalid") });
  });
});

function decide(
  { model }: Scripted,
  own: Partial<CapabilityDefinition<typeof inputs, typeof goodLoan>> = {},
): Promise<DecisionRecord> {
  return proposeForTest({ capability: lendProjector(own), inputs, deps: { model, context: sampleContext() } });
}
