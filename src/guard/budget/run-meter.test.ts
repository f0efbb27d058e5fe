import { describe, expect, it } from "vitest";
import type { CallHold, OverBudget, RunCaps, RunMeter } from "../../contract/budget.ts";
import { free, type Rates } from "./prices.ts";
import { openRunMeter, uncapped } from "./run-meter.ts";

const none = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
/** A millionth a token of each kind. */
const plain: Rates = { input: 1_000_000, cached: 1_000_000, cacheWrite: 1_000_000, output: 1_000_000 };
const usual = { turns: 100, toolCalls: 100, tokens: 1_000_000, costMicros: 1_000_000, ms: 1_000, children: 100 };
const call = { model: "p/m", isScripted: false, inputBytes: 1_000, maxOutputTokens: 976 };
/** Its bytes, the frame around it, and its longest reply. */
const worst = 3_000;

function open(caps: RunCaps = {}, price: Rates | null = plain) {
  let ms = 0;
  const clock = { now: () => ms, monotonic: () => ms };
  const meter = openRunMeter({ caps: { ...usual, ...caps }, prices: { priceOf: () => price, version: "v" }, clock });
  const pass = (by: number): void => {
    ms += by;
  };
  return { meter, pass };
}

function held(meter: RunMeter): CallHold {
  const hold = meter.holdCall(call);
  if (hold.kind === "over_budget") throw new Error(hold.detail);
  return hold;
}

function childOf(meter: RunMeter, caps: RunCaps = {}): RunMeter {
  const part = meter.child("a part", caps);
  if (part.kind === "over_budget") throw new Error(part.detail);
  return part.meter;
}

const over = (detail: RegExp): OverBudget => ({ kind: "over_budget", detail: expect.stringMatching(detail) });

describe("the meter of a run", () => {
  it("lets one of eight calls that start together go where there is room for one", () => {
    const { meter } = open({ costMicros: worst + 5 });
    const started = Array.from({ length: 8 }, () => meter.holdCall(call));
    expect(started.map(({ kind }) => kind)).toEqual(["held", ...Array(7).fill("over_budget")]);
    expect(started[1]).toEqual(over(/may use 3005 millionths; 3000 are used or held, and 3000 more could be needed/));
  });

  it("gives back what a call did not use, and says what it cost", () => {
    const { meter } = open({ costMicros: worst + 5 });
    expect(held(meter).settle({ ...none, inputTokens: 3, outputTokens: 2 })).toBe(5);
    expect(held(meter).settle(none)).toBe(0);
  });

  it.each([
    ["tokens", { tokens: worst * 2 - 1 }, /tokens/],
    ["requests", { turns: 1 }, /requests to models/],
  ])("holds the cap on %s before a call is made", (_, caps, words) => {
    const { meter } = open(caps);
    held(meter);
    expect(meter.holdCall(call)).toEqual(over(words));
  });

  it("counts reads through tools, parts and time", () => {
    const { meter, pass } = open({ toolCalls: 1, children: 1 });
    expect(meter.toolCall()).toBeNull();
    expect(meter.toolCall()).toEqual(over(/reads through tools/));
    childOf(meter);
    expect(meter.child("another", {})).toEqual(over(/parts/));
    pass(1_000);
    expect(meter.holdCall(call)).toEqual(over(/used up its time of 1000 ms/));
  });

  it("lets children draw on what their parent has left, at every depth", () => {
    const { meter } = open({ costMicros: worst * 3 });
    const child = childOf(meter, { costMicros: worst * 9 });
    const grandchild = childOf(child, { costMicros: worst });
    held(grandchild);
    expect(grandchild.holdCall(call)).toEqual(over(/a part may use/));
    held(child).settle({ ...none, inputTokens: worst });
    held(meter);
    expect(child.holdCall(call)).toEqual(over(/the run may use/));
  });

  it("opens no child once nothing is left to draw on", () => {
    const { meter } = open({ costMicros: worst });
    const child = childOf(meter);
    held(child).settle({ ...none, inputTokens: worst });
    expect(child.child("another", {})).toEqual(over(/has used up its 3000 millionths/));
    expect(meter.child("another", {})).toEqual(over(/the run has used up/));
  });

  it("refuses a model without a price where money is capped, and lets it go where none is", () => {
    expect(open({}, null).meter.holdCall(call)).toEqual(over(/no price is known for `p\/m`/));
    const { meter } = open({ costMicros: uncapped }, null);
    expect(held(meter).settle({ ...none, inputTokens: 1_000 })).toBe(0);
  });

  it("takes back the room of a call that was never sent, the request included", () => {
    const { meter } = open({ turns: 1 });
    held(meter).release();
    held(meter);
    expect(meter.holdCall(call)).toEqual(over(/requests to models/));
  });

  it("counts what a provider used beyond what it was asked for", () => {
    const { meter } = open({ costMicros: worst * 2 });
    held(meter).settle({ ...none, outputTokens: worst * 2 });
    expect(meter.holdCall(call)).toEqual(over(/6000 are used or held/));
  });

  it("holds nothing of a script, which costs nothing", () => {
    const { meter } = open({ costMicros: 1 }, free);
    expect(held(meter).settle({ ...none, inputTokens: 10_000 })).toBe(0);
  });
});
