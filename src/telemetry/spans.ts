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

/** Whoever watches may fail as they like: the work is done once, and nothing but its own result or error goes on. */
function spansOf(tracer: Tracer): Spans {
  return {
    within: async <T>({ name: called, attributes }: SpanStart, work: Work<T>) => {
      const begun: Promise<T>[] = [];
      ignoringFaults(() =>
        tracer.startActiveSpan(called, { attributes }, (span) => {
          if (begun.length === 0) begun.push(inSpan({ span, work }));
        }),
      );
      return begun[0] ?? work(() => {});
    },
  };
}

async function inSpan<T>({ span, work }: { span: Span; work: Work<T> }): Promise<T> {
  try {
    return await work((attributes) => ignoringFaults(() => span.setAttributes(attributes)));
  } catch (thrown) {
    ignoringFaults(() => span.setAttribute("error.type", isCountersignError(thrown) ? thrown.code : "internal"));
    ignoringFaults(() => span.setStatus({ code: SpanStatusCode.ERROR }));
    throw thrown;
  } finally {
    ignoringFaults(() => span.end());
  }
}

/** An exporter, sampler or processor that throws must not undo what was done: a request that was sent is paid for. */
function ignoringFaults(watch: () => unknown): void {
  try {
    watch();
  } catch {}
}

type Work<T> = (note: (attributes: SpanStart["attributes"]) => void) => Promise<T>;
