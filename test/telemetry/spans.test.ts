import { inspect } from "node:util";
import { context, INVALID_SPAN_CONTEXT, type Span, type Tracer, type TracerProvider, trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it } from "vitest";
import { CountersignError } from "../../src/contract/errors.ts";
import { nodeNames } from "../../src/contract/words.ts";
import { openSpans } from "../../src/telemetry/spans.ts";
import type { Answer } from "../../src/testing/index.ts";
import { decidedBy, replied, secrets } from "./decide-watched.ts";

afterEach(() => {
  trace.disable();
  context.disable();
});

describe("spans", () => {
  it("are not made where nobody has registered an SDK", () => {
    expect(openSpans()).toBeNull();
  });

  it("mark the decision, each node and each request to a model, with the conventions' keys of today and before", async () => {
    const spans = await spansOf([{ kind: "error", status: 503 }, replied(secrets.refused), replied(secrets.reply)]);
    expect(spans.map(({ name }) => name)).toEqual([
      ...["node entry", "node pre_check", "node context_load"],
      ...["chat qwen2.5-7b-instruct", "chat qwen2.5-7b-instruct", "chat qwen2.5-7b-instruct"],
      ...nodeNames.slice(3).map((node) => `node ${node}`),
      "decide days",
    ]);
    const [failed, misfit, fits] = spans.filter(({ name }) => name.startsWith("chat"));
    expect(failed?.attributes).toMatchObject({ "error.type": "overloaded", "countersign.attempt": 1, "countersign.send": 1 });
    expect(misfit?.attributes).toMatchObject({ "countersign.attempt": 1, "countersign.send": 2 });
    expect(fits?.attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "local",
      "gen_ai.system": "local",
      "gen_ai.request.model": "qwen2.5-7b-instruct",
      "gen_ai.request.temperature": 0,
      "gen_ai.request.max_tokens": 500,
      "gen_ai.response.finish_reason": "end",
      "gen_ai.usage.input_tokens": 42,
      "gen_ai.usage.prompt_tokens": 42,
      "gen_ai.usage.output_tokens": 8,
      "gen_ai.usage.completion_tokens": 8,
      "gen_ai.usage.cache_read.input_tokens": 2,
      "gen_ai.usage.cache_creation.input_tokens": 0,
      "countersign.usage.reasoning_tokens": 3,
      "countersign.node": "llm_decision",
      "countersign.purpose": "decide",
      "countersign.step": 0,
      "countersign.attempt": 2,
      "countersign.send": 1,
    });
    expect(spans.at(-1)?.attributes).toMatchObject({
      "countersign.capability": "days",
      "countersign.outcome": "decided",
      "countersign.route": "auto",
    });
  });

  it.each<[string, readonly Answer[], boolean]>([
    ["a decision that was made", [replied(secrets.refused), replied(secrets.reply)], false],
    ["a key that was refused and quoted", [{ kind: "error", status: 401, quotesKey: true }], false],
    ["replies that never fit", [replied(secrets.refused)], false],
    ["a capability that throws", [replied(secrets.reply)], true],
  ])("hold nothing of what was asked, replied or secret: %s", async (_what, answers, throws) => {
    const spans = await spansOf(answers, throws);
    expect(spans.length).toBeGreaterThan(4);
    // Everything that an exporter is handed, hidden members included.
    const received = inspect(spans, {
      depth: 20,
      showHidden: true,
      maxArrayLength: null,
      maxStringLength: null,
      breakLength: 200,
    });
    for (const text of Object.values(secrets)) expect(received).not.toContain(text);
    expect(received).toContain("countersign.node");
  });

  it("keep of an error its code alone", async () => {
    const exporter = watch();
    const spans = openSpans();
    const start = { name: "work", attributes: {} };
    const fails = (error: Error) => spans?.within(start, () => Promise.reject(error)).catch(() => {});
    await fails(new CountersignError("record_unavailable", secrets.thrown));
    await fails(new TypeError(secrets.thrown));
    const ended = exporter.getFinishedSpans();
    expect(ended.map(({ attributes }) => attributes["error.type"])).toEqual(["record_unavailable", "internal"]);
    expect(inspect(ended, { depth: 20, showHidden: true })).not.toContain(secrets.thrown);
  });
});

describe("whoever watches and fails", () => {
  const boom = (): never => {
    throw new Error("the queue is full");
  };
  const processor = { onStart: () => {}, onEnd: () => {}, forceFlush: async () => {}, shutdown: async () => {} };
  it.each<[string, () => TracerProvider]>([
    ["an exporter at the end", () => new BasicTracerProvider({ spanProcessors: [{ ...processor, onEnd: boom }] })],
    ["a processor at the start", () => new BasicTracerProvider({ spanProcessors: [{ ...processor, onStart: boom }] })],
    ["a sampler", () => new BasicTracerProvider({ sampler: { shouldSample: boom } })],
    ["a span that takes nothing", () => ({ getTracer: () => tracerOf({ setAttributes: boom, setAttribute: boom }) })],
    ["a tracer that calls twice", () => ({ getTracer: () => tracerOf({}, 2) })],
  ])("neither stops the work nor does it twice, nor changes what comes of it: %s", async (_what, provider) => {
    trace.setGlobalTracerProvider(provider());
    const spans = openSpans();
    const start = { name: "work", attributes: {} };
    let times = 0;
    const work = spans?.within(start, async (note) => {
      times += 1;
      note({ "countersign.node": "entry" });
      return "done";
    });
    expect(await work).toBe("done");
    expect(times).toBe(1);
    const own = new CountersignError("record_unavailable", "the work's own error");
    await expect(spans?.within(start, () => Promise.reject(own))).rejects.toBe(own);
  });

  it("leaves a decision and the records of its requests as they would be", async () => {
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [{ ...processor, onEnd: boom }] }));
    const record = await decidedBy({ answers: [replied(secrets.reply)], spans: openSpans() });
    expect(record).toMatchObject({ kind: "decided", route: "auto", calls: [{ outcome: "fits" }] });
  });
});

/** A tracer whose spans do nothing but what is given, and which runs what it is given so many times. */
function tracerOf(own: Partial<Span>, times = 1): Tracer {
  const span = Object.assign(trace.wrapSpanContext(INVALID_SPAN_CONTEXT), own);
  const startActiveSpan = (_name: string, _options: object, run: (span: Span) => unknown) => {
    for (let time = 0; time < times; time += 1) run(span);
  };
  // The one way that is used of the interface's three.
  return { startSpan: () => span, startActiveSpan: startActiveSpan as Tracer["startActiveSpan"] };
}

function watch(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  return exporter;
}

async function spansOf(answers: readonly Answer[], throws = false): Promise<readonly ReadableSpan[]> {
  const exporter = watch();
  await decidedBy({ answers, throws, spans: openSpans() });
  return exporter.getFinishedSpans();
}
