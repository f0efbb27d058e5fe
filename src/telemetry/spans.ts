/**
 * Spans through OpenTelemetry, for whoever has set up its SDK. Names and attributes come from the callers' closed lists; this folder adds
 * none, and of an error it keeps the code alone: a message may hold what a person or a model wrote.
 */
import { ProxyTracerProvider, type Span, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { isCountersignError } from "../contract/errors.ts";
import type { SpanStart, Spans } from "../contract/ports.ts";

const name = "countersign";

/** Spans where an SDK is registered by now, such as by `node --import`; `null` where nobody watches, so that nothing is made for nobody. */
export function openSpans(): Spans | null {
  const provider = trace.getTracerProvider();
  if (provider instanceof ProxyTracerProvider && provider.getDelegateTracer(name) === undefined) return null;
  return spansOf(provider.getTracer(name));
}

function spansOf(tracer: Tracer): Spans {
  return {
    within: (start, work) =>
      tracer.startActiveSpan(start.name, { attributes: start.attributes }, (span) => inSpan({ span, work })),
  };
}

async function inSpan<T>({ span, work }: { span: Span; work: (note: Note) => Promise<T> }): Promise<T> {
  try {
    return await work((attributes) => void span.setAttributes(attributes));
  } catch (thrown) {
    span.setAttribute("error.type", isCountersignError(thrown) ? thrown.code : "internal");
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw thrown;
  } finally {
    span.end();
  }
}

type Note = (attributes: SpanStart["attributes"]) => void;
