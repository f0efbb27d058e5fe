import type { Spans } from "../contract/ports.ts";
import { createFigures } from "./figures.ts";
import { openInstruments } from "./instruments.ts";
import { type DeclaredNames, labelValues, type ProcessName } from "./label-values.ts";
import type { Measured } from "./measure.ts";
import { measuredSpans } from "./measured-spans.ts";
import { metricList } from "./metric-list.ts";
import { openSpans } from "./spans.ts";

/** What is read afresh whenever somebody asks for the figures, such as how old a queue is. */
type Gauges = () => Promise<readonly Measured[]>;

/** What one process tells whoever watches. */
export interface Telemetry {
  /** `null` where nobody watches: nothing is made for nobody. */
  readonly spans: Spans | null;
  /** All figures in the text form of Prometheus. */
  readonly text: () => Promise<string>;
}

/** Gauges are read anew after so many milliseconds at the soonest, however many ask. */
const gaugesKeptMs = 5_000;

/**
 * Opens what one process measures. It measures where its figures are asked for over HTTP (`isRead`) or an SDK is registered by now; label
 * values come from closed lists alone. Gauges that cannot be read are left out, and `countersign.scrape.failed` says so.
 */
export function openTelemetry({
  process,
  names,
  gauges,
  isRead,
  now,
}: {
  process: ProcessName;
  names: DeclaredNames;
  gauges: Gauges;
  isRead: boolean;
  /** Milliseconds that never go back. */
  now: () => number;
}): Telemetry {
  const figures = createFigures(labelValues(names));
  const refresh = keptFor(gaugesKeptMs, now, async () => {
    const read = await gauges().catch(() => null);
    for (const name of gaugeNames)
      figures.put(
        name,
        (read ?? []).filter((one) => one.name === name),
      );
    figures.put("countersign.scrape.failed", [{ labels: {}, value: read === null ? 1 : 0 }]);
    figures.put("countersign.process.up", [{ labels: { process }, value: 1 }]);
  });
  const instruments = openInstruments({ figures, refresh });
  const keep = (measured: readonly Measured[]): void => {
    for (const { name, labels, value } of measured) {
      const closed =
        metricList[name].kind === "counter" ? figures.add(name, labels, value) : figures.observe(name, labels, value);
      instruments?.(name, closed, value);
    }
  };
  const spans = openSpans();
  return {
    spans: isRead || instruments !== null ? measuredSpans({ spans, now, keep }) : spans,
    text: async () => {
      await refresh();
      return figures.text();
    },
  };
}

/** What `gauges` may give. */
const gaugeNames = [
  "countersign.queue.age",
  "countersign.queue.length",
  "countersign.seal.lag",
  "countersign.index.lag",
] as const;

/** Does work at most once in a while; whoever asks while it runs waits for that one. */
function keptFor(ms: number, now: () => number, work: () => Promise<void>): () => Promise<void> {
  let doneAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;
  return async () => {
    if (now() - doneAt < ms) return;
    running ??= work().finally(() => {
      doneAt = now();
      running = null;
    });
    await running;
  };
}
