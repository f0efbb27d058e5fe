import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ModelChoice } from "../contract/capability.ts";
import { limits } from "../contract/limits.ts";
import type { ModelReply, Provider, ProviderFault, ProviderReply } from "../contract/model.ts";
import type { Clock, Deadline } from "../contract/ports.ts";
import type { Cancel } from "../contract/principal.ts";
import { cancelSwitch } from "../testing/fixed.ts";
import { maxSends } from "./back-off.ts";
import { faultsToRest, restMs } from "./breaker.ts";
import { createGateway } from "./call.ts";

const usage = { inputTokens: 5, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 7, reasoningTokens: 0 };
const good: ProviderReply = { text: '{"n":1}', usage, stopReason: "end" };
const passing = ["rate_limited", "overloaded", "unreachable", "timed_out", "cut_off"] as const;
const lasting = ["refused_key", "refused_request", "crashed", "cancelled"] as const;

describe("a request that got no reply", () => {
  it.each(passing)("is sent again where the fault may pass: %s", async (kind) => {
    const { reply, time } = await call([fault(kind), fault(kind), good], { random: () => 0.999 });
    expect(reply).toMatchObject({
      kind: "fits",
      value: { n: 1 },
      calls: [
        { send: 1, attempt: 1, outcome: "failed", fault: kind, stopReason: null },
        { send: 2, attempt: 1, outcome: "failed", fault: kind },
        { send: 3, attempt: 1, outcome: "fits", fault: null, stopReason: "end", usage },
      ],
    });
    // Each pause is drawn from a span that doubles: below 500 ms, below 1,000 ms.
    expect(time.pauses).toEqual([499, 999]);
  });

  it.each(lasting)("is not sent again where the fault will not pass: %s", async (kind) => {
    const { reply, sent } = await call([fault(kind), good]);
    expect(reply).toMatchObject({ kind: "failed", fault: kind, problem: `it was ${kind}`, calls: [{ send: 1, fault: kind }] });
    expect(sent).toBe(1);
  });

  it("is sent once more after a reply that is unusable, and not twice", async () => {
    const { reply, sent } = await call([fault("unusable"), fault("unusable"), good]);
    expect(reply).toMatchObject({ kind: "failed", fault: "unusable", calls: [{ send: 1 }, { send: 2 }] });
    expect(sent).toBe(2);
  });

  it("is sent a bounded number of times, however short the pauses come out", async () => {
    const { reply, sent } = await call([fault("cut_off")], { random: () => 0 });
    expect(reply).toMatchObject({ kind: "failed", fault: "cut_off" });
    expect([reply.calls.length, sent]).toEqual([maxSends, maxSends]);
  });

  it("waits at least as long as the provider asks, and no two callers alike", async () => {
    const asked = { ...fault("rate_limited"), retryAfterMs: 3_000 };
    const one = await call([asked, good], { random: () => 0 });
    const other = await call([asked, good], { random: () => 0.5 });
    expect([one.time.pauses, other.time.pauses]).toEqual([[3_000], [3_250]]);
  });

  it("ends at once where the pause would take longer than the call may", async () => {
    const { reply, time } = await call([{ ...fault("rate_limited"), retryAfterMs: 60_000 }, good]);
    expect(reply).toMatchObject({ kind: "failed", fault: "rate_limited", calls: [{ send: 1 }] });
    expect(time.pauses).toEqual([]);
  });

  it("ends within the call's time, where each request is silent until its own time is up", async () => {
    const { reply, time } = await call(["silence"], { sendMs: 25_000 });
    expect(reply).toMatchObject({ kind: "failed", fault: "timed_out", problem: "the provider gave no reply within 10000 ms" });
    expect(reply.calls.map(({ ms, fault: of }) => [ms, of])).toEqual([
      [25_000, "timed_out"],
      [25_000, "timed_out"],
      [10_000, "timed_out"],
    ]);
    expect(time.clock.monotonic()).toBe(60_000);
  });

  it("ends its pause when nobody waits any more, and is not sent again", async () => {
    const { cancel, fire } = cancelSwitch();
    const { reply, sent, time } = await call([fault("overloaded"), good], { cancel, onPause: fire, random: () => 0.5 });
    expect(time.pauses).toEqual([]);
    expect(reply).toMatchObject({ kind: "failed", fault: "cancelled", calls: [{ send: 1, fault: "overloaded" }] });
    expect(sent).toBe(1);
  });
});

describe("a provider that fails again and again", () => {
  it("is left alone: calls fail at once and leave no record, since nothing was sent", async () => {
    const stand = open([fault("overloaded")]);
    const ends = [await stand.ask(), await stand.ask()];
    // The request that was one too many ends its call at once, with its own fault.
    expect(ends.map(({ calls }) => calls.length)).toEqual([maxSends, faultsToRest - maxSends]);
    expect(ends[1]).toMatchObject({ fault: "overloaded" });
    expect(await stand.ask()).toEqual({ kind: "failed", fault: "resting", problem: expect.stringContaining("`p`"), calls: [] });
    expect(stand.sent()).toBe(faultsToRest);
  });

  it("is tried by one request after its rest, and by no other before that one has ended", async () => {
    const stand = open([...Array<Answer>(faultsToRest).fill(fault("unreachable")), "silence", good]);
    await stand.ask();
    await stand.ask();
    stand.time.advance(restMs - 1);
    expect(await stand.ask()).toMatchObject({ fault: "resting" });
    stand.time.advance(1);
    const trying = stand.ask();
    expect(await stand.ask()).toMatchObject({ fault: "resting", calls: [] });
    expect(await trying).toMatchObject({ kind: "failed", fault: "timed_out", calls: [{ send: 1 }] });
    stand.time.advance(restMs);
    expect(await stand.ask()).toMatchObject({ kind: "fits" });
    expect(await stand.ask()).toMatchObject({ kind: "fits" });
  });

  it("is not blamed for a request that it refuses, nor for a caller who gave up", async () => {
    for (const kind of ["refused_request", "cancelled"] as const) {
      const stand = open([fault(kind)]);
      for (let time = 0; time < 2 * faultsToRest; time += 1) expect(await stand.ask()).toMatchObject({ fault: kind });
    }
  });

  it("counts faults in a row only", async () => {
    const stand = open([fault("overloaded"), good]);
    for (let time = 0; time < 2 * faultsToRest; time += 1) expect(await stand.ask()).toMatchObject({ kind: "fits" });
  });

  it("does not make another provider rest", async () => {
    const stand = open([fault("overloaded")], { other: good });
    for (let time = 0; time < 3; time += 1) await stand.ask();
    expect(await stand.ask()).toMatchObject({ fault: "resting" });
    expect(await stand.ask("q")).toMatchObject({ kind: "fits" });
  });
});

describe("usage that nobody told", () => {
  it.each<[string, Answer, object]>([
    ["a reply without usage", { ...good, usage: null }, { outputTokens: 11 }],
    ["a reply that broke off", { ...fault("cut_off"), receivedCharacters: 100 }, { outputTokens: 150 }],
    ["a reply that nobody waited for", "silence", { outputTokens: 1_000 }],
    ["a provider that threw", "throws", { outputTokens: 1_000 }],
  ])("is assumed rather too high, and marked: %s", async (_what, answer, assumed) => {
    const { reply } = await call([answer]);
    expect(reply.calls[0]).toMatchObject({ isUsageAssumed: true, usage: assumed });
    // Far more than the 4 bytes a token of English prose.
    expect(reply.calls[0]?.usage.inputTokens).toBeGreaterThan((2 * JSON.stringify(prompt).length) / 4);
  });

  it("counts unseen reasoning as all that was allowed", async () => {
    const { reply } = await call([{ ...good, usage: null }], { effort: "high" });
    expect(reply.calls[0]?.usage).toMatchObject({ outputTokens: 11, reasoningTokens: 989 });
  });

  it.each(["rate_limited", "overloaded", "unreachable", "refused_key", "refused_request"] as const)(
    "is none where the request was turned away: %s",
    async (kind) => {
      const { reply } = await call([fault(kind)]);
      expect(reply.calls[0]).toMatchObject({ isUsageAssumed: false, usage: { inputTokens: 0, outputTokens: 0 } });
    },
  );

  it.each<[string, Answer, number]>([
    ["what came", { ...fault("cut_off"), receivedCharacters: 5e9 }, 1_000],
    ["what was allowed", "silence", 3e9],
  ])("is never more than can be stored, whatever a provider or a choice says: %s", async (_what, answer, maxOutputTokens) => {
    const { reply } = await call([answer], { maxOutputTokens });
    expect(reply.calls[0]?.usage).toMatchObject({ outputTokens: limits.tokensOfKind, reasoningTokens: 0 });
  });

  it("is what the provider says, also of a request that failed", async () => {
    const { reply } = await call([{ ...fault("refused_request"), usage }]);
    expect(reply.calls[0]).toMatchObject({ isUsageAssumed: false, usage });
  });
});

describe("a model that its provider would not take", () => {
  const refusalOf = ({ id }: ModelChoice) => (id === "latest" ? "`latest` floats; write a dated id" : null);

  it("is refused at the start, with the sentence and where it is named", () => {
    const models = [{ of: "capability `x`", model: { ...model(), id: "latest" } }];
    expect(() => open([good], { refusalOf, models })).toThrow(
      expect.objectContaining({
        code: "definition_invalid",
        message: "capability `x` asks for the model `p/latest`: `latest` floats; write a dated id",
      }),
    );
    expect(() => open([good], { models: [{ of: "intake", model: { ...model(), provider: "z" } }] })).toThrow(
      "intake asks for a model of `z`, and no provider is registered by that name; known are `p`, `q`",
    );
    expect(() => open([good], { refusalOf, models: [{ of: "intake", model: model() }] })).not.toThrow();
  });

  it("is refused before a call, and nothing is sent", async () => {
    const stand = open([good], { refusalOf, id: "latest" });
    await expect(stand.ask()).rejects.toMatchObject({ code: "definition_invalid" });
    expect(stand.sent()).toBe(0);
  });
});

type Answer = ProviderReply | ProviderFault | "silence" | "throws";

interface Situation {
  readonly random?: () => number;
  readonly cancel?: Cancel;
  readonly sendMs?: number;
  readonly onPause?: () => void;
  readonly other?: ProviderReply;
  readonly effort?: ModelChoice["effort"];
  readonly maxOutputTokens?: number;
  readonly id?: string;
  readonly refusalOf?: Provider["refusalOf"];
  readonly models?: readonly { of: string; model: ModelChoice }[];
}

const prompt = { system: "Count. ".repeat(20), messages: [{ role: "user" as const, text: "one and one are how many?" }] };

function model({ effort = "none", id = "m-1", maxOutputTokens = 1_000 }: Situation = {}): ModelChoice {
  return { provider: "p", id, effort, temperature: null, maxOutputTokens };
}

async function call(answers: readonly Answer[], situation: Situation = {}) {
  const stand = open(answers, situation);
  return { reply: await stand.ask(), sent: stand.sent(), time: stand.time };
}

/** A gateway over a provider that gives these answers in turn, the last one again and again. */
function open(answers: readonly Answer[], situation: Situation = {}) {
  const { random = () => 0, sendMs = 30_000, cancel, other = good, refusalOf, models = [] } = situation;
  let sent = 0;
  const time = virtualTime(() => situation.onPause?.());
  const complete = async () => {
    sent += 1;
    const answer = answers[Math.min(sent, answers.length) - 1];
    if (answer === "silence" || answer === undefined) return new Promise<never>(() => {});
    if (answer === "throws") throw new Error("sk-canary");
    return answer;
  };
  const base = { isScripted: true, ...(refusalOf === undefined ? {} : { refusalOf }) };
  const gateway = createGateway({
    providers: [
      { ...base, name: "p", complete },
      { ...base, name: "q", complete: async () => other },
    ],
    ...{ clock: time.clock, deadline: time.deadline, random, sendMs, models },
  });
  const ask = (provider = "p"): Promise<ModelReply<{ n: number }>> =>
    gateway.call({
      ...{ node: "llm_decision", purpose: "decide", step: 0, attempt: 1 },
      model: { ...model(situation), provider },
      prompt,
      schema: z.strictObject({ n: z.int() }),
      cancel: cancel ?? { isCancelled: () => false, onCancel: () => {} },
    });
  return { ask, sent: () => sent, time };
}

function fault(kind: ProviderFault["fault"]): ProviderFault {
  return { fault: kind, retryAfterMs: null, problem: `it was ${kind}`, usage: null, receivedCharacters: 0 };
}

/** Time that jumps to the end of whatever is waited for, once nothing else is left to do. A wait that ends early was no pause. */
function virtualTime(onWait: () => void) {
  let ms = 0;
  const pauses: number[] = [];
  const clock: Clock = { now: () => ms, monotonic: () => ms };
  const deadline: Deadline = {
    within: (limit, work) =>
      new Promise((resolve, reject) => {
        let isDone = false;
        const done = () => {
          isDone = true;
        };
        work.then(done, done);
        work.then(resolve, reject);
        const beganAt = ms;
        setImmediate(() => {
          if (isDone) return;
          onWait();
          setImmediate(() => {
            if (isDone) return;
            pauses.push(limit);
            ms = Math.max(ms, beganAt + limit);
            reject(new Error("time is up"));
          });
        });
      }),
  };
  return {
    clock,
    deadline,
    pauses,
    advance: (by: number) => {
      ms += by;
    },
  };
}
