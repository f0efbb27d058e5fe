import type { Context } from "../contract/context.ts";
import type { SpanAttributes, Spans } from "../contract/ports.ts";

/** A context whose every search and query is a span: of which kind, by which declared query, and its class of error; nothing of what was found. */
export function watchedContext(context: Context, spans: Spans | null): Context {
  if (spans === null) return context;
  const within = <T>(read: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> =>
    spans.within({ name: `read ${read}`, attributes: { "countersign.read": read, ...attributes } }, work);
  return {
    findPassages: (need, envelope) => within("passages", {}, () => context.findPassages(need, envelope)),
    readRecords: (need, envelope) =>
      within("records", { "countersign.query": need.query }, () => context.readRecords(need, envelope)),
    readFacts: (need, envelope) => within("facts", {}, () => context.readFacts(need, envelope)),
    recall: (need, envelope) => within("memory", {}, () => context.recall(need, envelope)),
  };
}
