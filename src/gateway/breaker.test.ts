import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ProviderFault, ProviderReply } from "../contract/model.ts";
import type { Spans } from "../contract/ports.ts";
import { fixedClock, impatientDeadline } from "../testing/fixed.ts";
import { createBreaker, faultsToRest, restMs } from "./breaker.ts";
import { createGateway } from "./call.ts";

const usage = { inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 };
const good: ProviderReply = { text: "1", usage, stopReason: "end" };
const refused: ProviderFault = {
  ...{ fault: "refused_key", problem: "the key was refused", retryAfterMs: null, usage: null, receivedCharacters: 0 },
};

describe("the breaker of a provider that rests", () => {
  it("lets one request through at a time, whatever older requests come to", () => {
    const { clock, breaker, older } = rested();
    clock.advance(restMs);
    const trial = breaker.pass();
    expect(trial).not.toBeNull();
    older?.ended("cancelled");
    expect(breaker.pass()).toBeNull();
    trial?.ended(null);
    expect(breaker.pass()).not.toBeNull();
  });

  it("lets the next request through where nobody knows how the trial ended", () => {
    const { clock, breaker } = rested();
    clock.advance(restMs);
    breaker.pass()?.ended("cancelled");
    expect(breaker.pass()).not.toBeNull();
  });

  it("is not held by a request that threw on its way", async () => {
    const clock = fixedClock(0);
    let isBroken = false;
    let answer: ProviderReply | ProviderFault = refused;
    const spans: Spans = {
      within: async (_start, work) => {
        if (isBroken) throw new Error("nobody watches");
        return work(() => {});
      },
    };
    const ports = { clock, deadline: impatientDeadline, random: () => 0, spans };
    const gateway = createGateway({ ...ports, providers: [{ name: "p", isScripted: true, complete: async () => answer }] });
    const ask = () =>
      gateway.call({
        ...{ node: "llm_decision", purpose: "decide", step: 0, attempt: 1, schema: z.int() },
        model: { provider: "p", id: "m-1", effort: "none", temperature: null },
        prompt: { system: "Count.", messages: [] },
        cancel: { isCancelled: () => false, onCancel: () => {} },
      });
    for (let time = 0; time < faultsToRest; time += 1) await ask();
    clock.advance(restMs);
    isBroken = true;
    await expect(ask()).rejects.toThrow("nobody watches");
    isBroken = false;
    answer = good;
    expect(await ask()).toMatchObject({ kind: "fits" });
  });
});

/** A breaker that has just begun its rest, and the pass of a request that was sent before. */
function rested() {
  const clock = fixedClock(0);
  const breaker = createBreaker(clock);
  const older = breaker.pass();
  for (let time = 0; time < faultsToRest; time += 1) breaker.pass()?.ended("unreachable");
  return { clock, breaker, older };
}
