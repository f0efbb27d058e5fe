import { describe, expect, it } from "vitest";
import type { ModelChoice } from "../../src/contract/capability.ts";
import type { Provider, ProviderFault, ProviderReply } from "../../src/contract/model.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { systemDeadline } from "../../src/store/clock.ts";
import { fixedClock, testTime } from "../../src/testing/index.ts";
import { days, decide, lamp, steps, traceOf } from "./loop-run.ts";
import { burnt, ends } from "./loop-samples.ts";

const first: ModelChoice = { provider: "first", id: "f-1", effort: "none", temperature: null };
const second: ModelChoice = { provider: "second", id: "s-1", effort: "none", temperature: null };
const silent: unique symbol = Symbol("no reply");

describe("a second model of a loop", () => {
  it("answers every step where the first was silent from the start", async () => {
    const { record, sent } = await run({ first: [silent, lamp], second: [lamp, days(3), ends(burnt)] });
    expect(record).toMatchObject({ kind: "decided", model: "second/s-1", prompt: "l1" });
    // The first would have answered by the second step: it is not asked again.
    expect(sent).toEqual(["first 1", "second 1", "second 2", "second 3"]);
  });

  it("is never asked at a later step: the silence of the first ends the loop", async () => {
    const { record, sent } = await run({ first: [lamp, silent], second: [ends(burnt)] });
    expect(record).toMatchObject({ kind: "stopped", stop: { reason: "model_unavailable" }, model: "first/f-1" });
    expect(sent).toEqual(["first 1", "first 2"]);
    expect(traceOf(record).map(({ outcome }) => outcome)).toEqual(["read", "no_reply"]);
  });

  it("ends the loop by its own silence, and the first is not asked again", async () => {
    const { record, sent } = await run({ first: [silent, lamp, ends(burnt)], second: [lamp, silent] });
    expect(record).toMatchObject({ kind: "stopped", stop: { reason: "model_unavailable" }, model: "second/s-1" });
    expect(sent).toEqual(["first 1", "second 1", "second 2"]);
  });

  it("is asked for the first step alone where neither answers it", async () => {
    const { record, sent } = await run({ first: [silent], second: [silent] });
    expect(record).toMatchObject({ kind: "stopped", stop: { reason: "model_unavailable" }, model: "second/s-1" });
    expect(sent).toEqual(["first 1", "second 1"]);
  });
});

type Answers = readonly (string | typeof silent)[];

/** Each provider gives its answers in turn; `sent` tells which was asked for which step. */
async function run(answers: { first: Answers; second: Answers }) {
  const sent: string[] = [];
  const provider = (name: "first" | "second"): Provider => {
    const left = [...answers[name]];
    const complete: Provider["complete"] = async ({ step }) => {
      sent.push(`${name} ${step}`);
      return answerOf(left.shift() ?? silent);
    };
    return { name, isScripted: true, complete };
  };
  const ports = { clock: fixedClock(testTime), deadline: systemDeadline, random: () => 0 };
  const model = createGateway({ ...ports, providers: [provider("first"), provider("second")] });
  return { record: await decide(steps(), { looped: { model: first, second }, deps: { model } }), sent };
}

function answerOf(text: string | typeof silent): ProviderReply | ProviderFault {
  if (text !== silent) return { text, usage: null, stopReason: "end" };
  return { fault: "refused_key", retryAfterMs: null, problem: "the key was refused", usage: null, receivedCharacters: 0 };
}
