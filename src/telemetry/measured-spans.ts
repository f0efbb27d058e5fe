import { isCountersignError } from "../contract/errors.ts";
import type { SpanAttributes, Spans } from "../contract/ports.ts";
import type { Measured } from "./measure.ts";
import { measuresOf } from "./measure.ts";

/** Spans of which each also leaves its figures with `keep`, whether or not anybody looks at spans. Counting never fails the work. */
export function measuredSpans({
  spans,
  now,
  keep,
}: {
  spans: Spans | null;
  /** Milliseconds that never go back. */
  now: () => number;
  keep: (measured: readonly Measured[]) => void;
}): Spans {
  const inner: Spans = spans ?? { within: (_start, work) => work(() => {}) };
  return {
    within: async (start, work) => {
      const startedAt = now();
      let attributes: SpanAttributes = start.attributes;
      const count = (): void => keep(measuresOf(start.name, attributes, (now() - startedAt) / 1000));
      try {
        const result = await inner.within(start, (note) =>
          work((noted) => {
            attributes = { ...attributes, ...noted };
            note(noted);
          }),
        );
        count();
        return result;
      } catch (thrown) {
        attributes = { ...attributes, "error.type": isCountersignError(thrown) ? thrown.code : "internal" };
        count();
        throw thrown;
      }
    },
  };
}
