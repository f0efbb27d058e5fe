import { inspect } from "node:util";
import { trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Encoded, ModelReply, Provider, ProviderRequest } from "../../src/contract/model.ts";
import type { Finding, Recogniser } from "../../src/contract/privacy.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { openModels } from "../../src/gateway/open-models.ts";
import { openPrivacyParts } from "../../src/gateway/open-privacy-parts.ts";
import { systemClock, systemDeadline } from "../../src/store/clock.ts";
import { readPublicKeys, signedUnder } from "../../src/store/signature.ts";
import { openSpans } from "../../src/telemetry/spans.ts";
import { cancelSwitch } from "../../src/testing/index.ts";
import { signedOff } from "../setup/privacy.ts";

// Law 9: no declared-sensitive value leaves the process towards a model provider, a log or a trace. The provider here is registered as a
// real one is; what it is handed is all that could be sent.
const mail = "ada.moll@corvane.example";
const card = "4539 1488 0343 6467";
const name = "Adalind Mollwitz";
const values = [mail, card, name];
const asking = `I am ${name}, write to ${mail}; my card is ${card}.`;
const said = z.strictObject({ said: z.string() });
const usage = { inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 };

/** Knows one name, as a recogniser behind the port does. */
const recogniser: Recogniser = {
  name: "one-name",
  version: "1",
  find: async (texts) => texts.map(nameIn),
};

function nameIn(text: string): readonly Finding[] {
  const start = text.indexOf(name);
  const found = { class: "person", kind: "name", jurisdiction: null, canonical: name.toLowerCase() } as const;
  return start === -1 ? [] : [{ start, end: start + name.length, ...found }];
}

/** A provider that keeps what it is handed, and says the last message again unless told otherwise. */
function capturing(reply: (request: ProviderRequest) => string = echo): { provider: Provider; sent: ProviderRequest[] } {
  const sent: ProviderRequest[] = [];
  const complete: Provider["complete"] = async (request) => {
    sent.push(request);
    return { text: reply(request), usage, stopReason: "end" };
  };
  return { provider: { name: "real", isScripted: false, complete }, sent };
}

function echo({ messages }: ProviderRequest): string {
  return JSON.stringify({ said: messages.at(-1)?.text });
}

interface Asked {
  readonly provider: Provider;
  readonly recogniser?: Recogniser | null;
  readonly text?: string;
  readonly spans?: ReturnType<typeof openSpans>;
  readonly sendMs?: number;
  readonly cancel?: ReturnType<typeof cancelSwitch>["cancel"];
}

function ask({ provider, text = asking, spans = null, ...own }: Asked): Promise<ModelReply<{ said: string }>> {
  const files = { policy: null, dictionaries: new Map() };
  const model = createGateway({
    ...{
      providers: [provider],
      clock: systemClock,
      deadline: systemDeadline,
      random: () => 0,
      spans,
      sendMs: own.sendMs ?? 5_000,
    },
    boundary: openPrivacyParts({ files, recogniser: own.recogniser === undefined ? recogniser : own.recogniser }),
  });
  return model.call({
    ...({ node: "llm_decision", purpose: "decide", step: 0, attempt: 1 } as const),
    model: { provider: "real", id: "m-1", effort: "none", temperature: null },
    prompt: { system: `You help ${name}.`, messages: [{ role: "user", text }] },
    schema: said,
    cancel: own.cancel ?? cancelSwitch().cancel,
  });
}

afterEach(() => trace.disable());

const holds = (dump: unknown): readonly string[] => {
  const text = inspect(dump, { depth: 30, showHidden: true, maxArrayLength: null, maxStringLength: null, breakLength: Infinity });
  return values.filter((value) => text.includes(value));
};

describe("law 9: no sensitive value leaves the process", () => {
  test("a provider is handed only what passed the boundary, and the reply is read with the values back in it", async () => {
    const { provider, sent } = capturing();
    const reply = await ask({ provider });
    expect(holds(sent)).toEqual([]);
    expect(sent[0]?.messages[0]?.text).toContain("example.invalid");
    expect(reply).toMatchObject({ kind: "fits", value: { said: asking } });
    expect(reply.calls).toMatchObject([{ boundary: "on", reply: JSON.stringify({ said: asking }), isReplyWhole: true }]);
  });

  test("no other value has the type that providers accept", () => {
    const { provider } = capturing();
    const raw: ProviderRequest = { ...{ model: { provider: "real", id: "m", effort: "none", temperature: null } }, ...asked };
    // @ts-expect-error A request that did not pass the boundary is no `Encoded<ProviderRequest>`.
    const handed: Parameters<typeof provider.complete>[0] = raw;
    const encoded: Encoded<ProviderRequest> = handed;
    expect(encoded).toBe(raw);
  });

  test("the record says what was replaced, by kind, stand-in and count, and holds no value of it outside the reply", async () => {
    const { provider, sent } = capturing(() => '{"said":"yes"}');
    const { calls } = await ask({ provider });
    expect(holds(calls)).toEqual([]);
    expect(calls[0]?.replacedCounts).toMatchObject({ email: { tokenise: 1 }, card: { tokenise: 1 }, person: { tokenise: 2 } });
    for (const { standIn } of calls[0]?.replaced ?? []) expect(JSON.stringify(sent)).toContain(standIn);
  });

  test("two requests at once never share a map: no stand-in of one is another's, nor stands for anything there", async () => {
    const standIns = async () => {
      const { provider, sent } = capturing();
      const { calls } = await ask({ provider });
      return { provider, text: sent[0]?.messages[0]?.text ?? "", all: (calls[0]?.replaced ?? []).map(({ standIn }) => standIn) };
    };
    const [one, other] = await Promise.all([standIns(), standIns()]);
    expect(one.all.length).toBe(3);
    expect(one.all.filter((standIn) => other.all.includes(standIn))).toEqual([]);
    // A model that says another request's stand-ins tells nobody's values: the reply is not read.
    const { provider } = capturing(() => JSON.stringify({ said: other.text }));
    const reply = await ask({ provider });
    expect(reply.kind).toBe("misfits");
    expect(holds(reply)).toEqual([]);
  });

  test.each<[string, Recogniser["find"]]>([
    ["fails", () => Promise.reject(new Error(`could not look at ${asking}`))],
    [
      "throws at once",
      () => {
        throw new Error(asking);
      },
    ],
    ["says nothing for a text", async () => []],
    ["finds what is outside of the text", async (texts) => texts.map(() => [{ ...outside, start: 0, end: 100_000 }])],
    ["finds what begins nowhere", async (texts) => texts.map(() => [{ ...outside, start: Number.NaN, end: 3 }])],
    ["never ends", () => new Promise(() => {})],
  ])("nothing is sent where the recogniser %s, and the record says so without its words", async (_what, find) => {
    const { provider, sent } = capturing();
    const reply = await ask({ provider, recogniser: { ...recogniser, find }, sendMs: 100 });
    expect(sent).toEqual([]);
    expect(reply).toMatchObject({
      kind: "failed",
      fault: "boundary_failed",
      problem: expect.stringMatching(/^nothing was sent/),
    });
    expect(reply.calls).toMatchObject([
      { fault: "boundary_failed", outcome: "failed", boundary: "on", costMicros: 0, reply: "" },
    ]);
    expect(holds(reply)).toEqual([]);
  });

  test("what a model made of a stand-in is no reply, and no value comes back for it", async () => {
    const bent = ({ messages }: ProviderRequest) => {
      const standIn = /\S+@example\.invalid/.exec(messages.at(-1)?.text ?? "")?.[0] ?? "";
      return JSON.stringify({ said: standIn.replace(/^./, (first) => (first === "x" ? "y" : "x")) });
    };
    const { provider } = capturing(bent);
    const reply = await ask({ provider });
    expect(reply).toMatchObject({ kind: "misfits", calls: [{ outcome: "misfits", isReplyWhole: false }] });
    expect(holds(reply)).toEqual([]);
  });

  test("a trace holds nothing of it", async () => {
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    await ask({ provider: capturing().provider, spans: openSpans() });
    expect(exporter.getFinishedSpans().length).toBe(1);
    expect(holds(exporter.getFinishedSpans())).toEqual([]);
  });

  test("a provider that says that the boundary is off is not opened without a signed reason, and the entry shows it with one", async () => {
    const { provider, sent } = capturing();
    const off: Provider = { ...provider, boundary: "off", host: "api.example" };
    const files = signedOff({ project: "shop", provider: off });
    const open = (given: Partial<Parameters<typeof openModels>[0]>) =>
      openModels({
        ...{ listed: [off], vault: { secret: () => "" }, project: "shop", privacy: files, recogniser: null },
        ...{ isSigned: signedUnder(readPublicKeys(files.publicKeys)) },
        ...{ clock: systemClock, deadline: systemDeadline, random: () => 0, ...given },
      });
    const unsigned = expect.objectContaining({ code: "boundary_unsigned" });
    expect(() => open({ privacy: undefined })).toThrow(unsigned);
    expect(() => open({ project: "bank" })).toThrow(unsigned);
    expect(() => open({ listed: [{ ...off, host: "elsewhere.example" }] })).toThrow(unsigned);
    const source = { ...{ name: "real", isScripted: false, secret: null }, open: () => off };
    expect(() => open({ listed: [source], privacy: undefined })).toThrow(unsigned);
    const reply = await open({}).call({
      ...({ node: "llm_decision", purpose: "decide", step: 0, attempt: 1 } as const),
      model: { provider: "real", id: "m-1", effort: "none", temperature: null },
      prompt: { system: "", messages: [{ role: "user", text: asking }] },
      ...{ schema: said, cancel: cancelSwitch().cancel },
    });
    expect(reply.calls).toMatchObject([{ boundary: "off" }]);
    expect(sent[0]?.messages[0]?.text).toBe(asking);
  });
});

const outside = { class: "person", kind: "name", jurisdiction: null, canonical: "x" } as const;
const asked = { purpose: "decide", step: 0, attempt: 1, system: "", messages: [], jsonSchema: {} } as const;
