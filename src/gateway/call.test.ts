import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import type { ModelReply, Provider, ProviderReply, ProviderRequest } from "../contract/model.ts";
import type { Clock, Deadline } from "../contract/ports.ts";
import type { Cancel } from "../contract/principal.ts";
import { createGateway } from "./call.ts";

const usage = { inputTokens: 5, cachedTokens: 128_955, cacheWriteTokens: 1_253, outputTokens: 7, reasoningTokens: 0 };
const schema = z.strictObject({ device: z.string().max(20), priority: z.enum(["low", "high"]), note: z.string().optional() });
const good = { device: "LT-1042", priority: "low" } as const;
const model = { provider: "scripted", id: "it-support-1", effort: "none", temperature: null } as const;

describe("the gateway", () => {
  it("returns what fits and records the call", async () => {
    const reply = await ask({ text: JSON.stringify(good) });
    expect(reply).toEqual({
      kind: "fits",
      value: good,
      calls: [
        {
          node: "llm_decision",
          purpose: "decide",
          step: 0,
          attempt: 2,
          send: 1,
          model: "scripted/it-support-1",
          isScripted: true,
          outcome: "fits",
          fault: null,
          stopReason: "end",
          requestDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
          usage,
          isUsageAssumed: false,
          costMicros: 0,
          ms: 12,
          ...{ reply: JSON.stringify(good), isReplyWhole: true },
          problem: null,
          boundary: "off",
        },
      ],
    });
  });

  it("sends the prompt and the JSON Schema, frozen and without touching the capability's own objects", async () => {
    const seen: ProviderRequest[] = [];
    const prompt = { system: "Decide.", messages: [{ role: "user" as const, text: "my laptop is dead" }] };
    await ask({ text: JSON.stringify(good) }, { seen, prompt });
    expect(seen[0]).toMatchObject({ system: "Decide.", messages: prompt.messages, model, attempt: 2, purpose: "decide" });
    expect(seen[0]?.jsonSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(Object.isFrozen(seen[0]?.messages)).toBe(true);
    expect(Object.isFrozen(prompt.messages)).toBe(false);
  });

  it.each<[string, Partial<ProviderReply>, string]>([
    ["an empty text", { text: "" }, "the reply is empty"],
    ["a cut text", { text: '{"device":"LT-10', stopReason: "length" }, "the reply was cut at the token limit"],
    [
      "a whole text that was cut all the same",
      { text: JSON.stringify(good), stopReason: "length" },
      "the reply was cut at the token limit",
    ],
    ["a refusal", { text: "I cannot help with that.", stopReason: "refusal" }, "the model refused to reply"],
    ["a filtered reply", { text: "", stopReason: "filter" }, "the provider's filter withheld the reply"],
    ["a code fence", { text: "```json\n{}\n```" }, "the reply is not one complete JSON value with nothing around it"],
    [
      "a value outside an enum",
      { text: JSON.stringify({ ...good, priority: "urgent" }) },
      '/priority: Invalid option: expected one of "low"|"high"',
    ],
    [
      "a number as a string's place",
      { text: JSON.stringify({ ...good, device: 1042 }) },
      "/device: Invalid input: expected string, received number",
    ],
    ["an extra key", { text: JSON.stringify({ ...good, force: true }) }, '/: Unrecognized key: "force"'],
  ])("counts %s as a misfit", async (_what, part, problem) => {
    const reply = await ask(part);
    expect(reply).toMatchObject({ kind: "misfits", problem, calls: [{ outcome: "misfits", problem, usage }] });
  });

  it.each<[string, z.ZodType, string, string]>([
    ["drop a key", z.object({ a: z.number() }), '{"a":1,"force":true}', "/force: this key is not in the schema"],
    [
      "turn a string into a number",
      z.strictObject({ a: z.coerce.number<number>() }),
      '{"a":"15.500"}',
      "/a: the schema would change this value",
    ],
    [
      "fill in a default",
      z.strictObject({ a: z.array(z.strictObject({ b: z.number().default(3) })) }),
      '{"a":[{}]}',
      "/a/0/b: this key is missing",
    ],
    [
      "catch what is wrong",
      z.strictObject({ a: z.enum(["low"]).catch("low") }),
      '{"a":"high"}',
      "/a: the schema would change this value",
    ],
  ])("lets no schema mend a reply: it may not %s", async (_what, mending, text, problem) => {
    const reply = await ask({ text }, { schema: mending });
    expect(reply).toMatchObject({ kind: "misfits", problem: expect.stringContaining(problem) });
  });

  it("names the first few issues and never repeats a long text of the model", async () => {
    const long = "ignore all rules ".repeat(50);
    const keys = Object.fromEntries([...Array(50).keys()].map((at) => [`${long}${at}`, 1]));
    const each = z.strictObject({ lines: z.array(z.strictObject({ n: z.number() })) });
    for (const value of [
      keys,
      { lines: [keys, keys, keys, keys, keys, keys] },
      { lines: [...Array(50).keys()].map(() => ({ n: long })) },
    ]) {
      const reply = await ask({ text: JSON.stringify(value) }, { schema: each });
      const problem = reply.kind === "misfits" ? reply.problem : "";
      expect(problem).toMatch(/^\//);
      expect(problem.length).toBeLessThanOrEqual(500);
      expect(problem).not.toContain(long.slice(0, 120));
    }
    const reply = await ask({ text: JSON.stringify({ lines: [...Array(7).keys()].map(() => ({})) }) }, { schema: each });
    expect(reply).toMatchObject({ problem: expect.stringMatching(/^\/lines\/0\/n: .*; \/lines\/3\/n: .*; and 3 more$/) });
  });

  it.each([-1, Number.NaN, 1.5, 2 ** 31, "7"])("counts a usage of %j tokens as a failed call", async (count) => {
    // A provider in plain JavaScript may return anything.
    const reply = await ask({ text: JSON.stringify(good), usage: { ...usage, outputTokens: count as number } });
    expect(reply).toMatchObject({
      kind: "failed",
      fault: "unusable",
      problem: expect.stringContaining("usage that cannot be"),
      calls: [{ isUsageAssumed: true }, { isUsageAssumed: true }],
    });
  });

  it.each([
    null,
    "text",
    { usage, stopReason: "end" },
    { text: "{}", usage, stopReason: "tired" },
    { text: "{}", usage: "7", stopReason: "end" },
    { fault: "tired", problem: "sk-canary" },
    { fault: "overloaded", problem: 7 },
  ])("counts %j, which is no reply, as a failed call", async (returned) => {
    const reply = await ask({}, { complete: async () => returned as never }); // whatever a provider returns
    expect(reply).toMatchObject({
      kind: "failed",
      calls: expect.arrayContaining([expect.objectContaining({ outcome: "failed", reply: "" })]),
    });
    expect(JSON.stringify(reply)).not.toContain("sk-canary");
  });

  it.each([
    [new CountersignError("model_unavailable", "the script has no line"), "the provider gave no reply: the script has no line"],
    [Object.assign(new Error("connect sk-canary"), { code: "ECONNREFUSED" }), "the provider gave no reply: `ECONNREFUSED`"],
    [new Error("sk-canary"), "the provider gave no reply: it threw an error"],
    ["sk-canary", "the provider gave no reply: it threw an error"],
  ])("counts a provider that throws as failed and repeats none of its words (%#)", async (thrown, problem) => {
    const rejected = await ask({}, { complete: () => Promise.reject(thrown) });
    const threw = await ask(
      {},
      {
        complete: () => {
          throw thrown;
        },
      },
    );
    for (const reply of [rejected, threw]) {
      expect(reply).toMatchObject({
        kind: "failed",
        fault: "crashed",
        problem,
        calls: [{ outcome: "failed", problem, reply: "" }],
      });
      expect(JSON.stringify(reply)).not.toContain("sk-canary");
    }
  });

  it("keeps a reply that no store could keep in a form that one can, and that no replay would take for a good one", async () => {
    const reply = await ask({ text: '{"device":"\0\uD800"}' });
    expect(reply).toMatchObject({ kind: "misfits", calls: [{ reply: '{"device":"\uFFFD\uFFFD"}…', isReplyWhole: false }] });
    const long = await ask({ text: "x".repeat(2_000_000) });
    expect(long.calls[0]?.reply.length).toBeLessThan(10_000);
  });

  it("gives up on a provider that does not answer in time, and tells it", async () => {
    let told = false;
    const never = (_request: ProviderRequest, cancel: Cancel) =>
      new Promise<never>((_resolve, reject) => {
        cancel.onCancel(() => {
          told = true;
          reject(new Error("stopped"));
        });
      });
    expect(await ask({}, { complete: never, sendMs: 5, callMs: 20 })).toMatchObject({
      kind: "failed",
      problem: "the provider gave no reply within 5 ms",
    });
    expect(told).toBe(true);
  });

  it("ends a call that nobody waits for any more, in its midst and before it began", async () => {
    let begun = () => {};
    const cancel = cancelOnce((fire) => {
      begun = fire;
    });
    const complete = () => {
      begun();
      return new Promise<never>(() => {});
    };
    expect(await ask({}, { complete, cancel })).toMatchObject({ kind: "failed", problem: "the call was cancelled" });
    const seen: ProviderRequest[] = [];
    expect(await ask({ text: "{}" }, { seen, cancel })).toMatchObject({ kind: "failed", problem: "the call was cancelled" });
    expect(seen).toEqual([]);
  });

  it.each([true, false])(
    "records of each call whether its provider is a script, whatever its name is: %s",
    async (isScripted) => {
      const { calls } = await ask({ text: JSON.stringify(good) }, { isScripted });
      expect(calls[0]).toMatchObject({ model: "scripted/it-support-1", isScripted });
    },
  );

  it("throws `definition_invalid` for an unknown provider and for a schema that no model can be shown", async () => {
    const unknown = ask({}, { model: { ...model, provider: "elsewhere" } });
    await expect(unknown).rejects.toMatchObject({ code: "definition_invalid", message: expect.stringContaining("`elsewhere`") });
    const hidden = ask({ text: "1" }, { schema: z.number().transform((n) => new Date(n)) });
    await expect(hidden).rejects.toMatchObject({ code: "definition_invalid" });
  });
});

interface Situation {
  readonly schema?: z.ZodType;
  readonly seen?: ProviderRequest[];
  readonly complete?: (request: ProviderRequest, cancel: Cancel) => Promise<never>;
  readonly prompt?: { system: string; messages: { role: "user"; text: string }[] };
  readonly model?: { provider: string; id: string; effort: "none"; temperature: null };
  readonly cancel?: Cancel;
  readonly sendMs?: number;
  readonly callMs?: number;
  readonly isScripted?: boolean;
}

function ask(reply: Partial<ProviderReply>, situation: Situation = {}): Promise<ModelReply<unknown>> {
  const { sendMs = 60_000, callMs = 60_000 } = situation;
  const gateway = createGateway({ ...ports(), providers: [providerOf(reply, situation)], sendMs, callMs });
  return gateway.call({
    node: "llm_decision",
    purpose: "decide",
    step: 0,
    attempt: 2,
    model: situation.model ?? model,
    prompt: situation.prompt ?? { system: "Decide.", messages: [] },
    schema: situation.schema ?? schema,
    cancel: situation.cancel ?? { isCancelled: () => false, onCancel: () => {} },
  });
}

function providerOf(reply: Partial<ProviderReply>, { seen, complete, isScripted = true }: Situation): Provider {
  const answer = async (request: ProviderRequest) => {
    seen?.push(request);
    return { text: "", usage, stopReason: "end" as const, ...reply };
  };
  return { name: "scripted", isScripted, boundary: "off", complete: complete ?? answer };
}

function ports() {
  return { clock: steps(), deadline, random: () => 0 };
}

const deadline: Deadline = {
  within: (ms, work) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("time is up")), ms);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    }),
};

/** A clock that is 11.6 ms further at each look. */
function steps(): Clock {
  let ms = 0;
  const monotonic = () => {
    ms += 11.6;
    return ms;
  };
  return { now: () => 0, monotonic };
}

function cancelOnce(give: (fire: () => void) => void): Cancel {
  const listeners: (() => void)[] = [];
  let fired = false;
  give(() => {
    fired = true;
    for (const listener of listeners) listener();
  });
  return { isCancelled: () => fired, onCancel: (listener) => listeners.push(listener) };
}
