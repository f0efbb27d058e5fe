import { createNoopMeter, type Meter, metrics } from "@opentelemetry/api";
import type { Figures, Labels } from "./figures.ts";
import { attributeOf, bucketsS, type Label, type Metric, type MetricName, metricList } from "./metric-list.ts";

/** Hands figures on to whatever SDK is registered. */
export type Instruments = (name: MetricName, labels: Labels, value: number) => void;

/** The instruments of a registered SDK for metrics, made once; `null` where none is registered by now. */
export function openInstruments(reading: Reading): Instruments | null {
  const meter = metrics.getMeter("countersign");
  if (meter.constructor === createNoopMeter().constructor) return null;
  const made = new Map<MetricName, (value: number, labels: Labels) => void>();
  // Keys of the list.
  for (const name of Object.keys(metricList) as MetricName[]) made.set(name, instrument(meter, name, reading));
  return (name, labels, value) => ignoringFaults(() => made.get(name)?.(value, labels));
}

interface Reading {
  readonly figures: Pick<Figures, "gauge">;
  /** Reads the gauges anew, where they are old; does not throw. */
  readonly refresh: () => Promise<void>;
}

function instrument(meter: Meter, name: MetricName, { figures, refresh }: Reading): (value: number, labels: Labels) => void {
  const { kind, unit, says: description }: Metric = metricList[name];
  if (kind === "gauge") {
    meter.createObservableGauge(name, { unit, description }).addCallback(async (result) => {
      await refresh();
      for (const { labels, value } of figures.gauge(name)) result.observe(value, attributesOf(labels));
    });
    return () => {};
  }
  if (kind === "counter") {
    const counter = meter.createCounter(name, { unit, description });
    return (value, labels) => counter.add(value, attributesOf(labels));
  }
  // The usual buckets of an SDK are made for milliseconds; who registers one may still choose others by a view.
  const advice = { explicitBucketBoundaries: [...bucketsS] };
  const histogram = meter.createHistogram(name, { unit, description, advice });
  return (value, labels) => histogram.record(value, attributesOf(labels));
}

function attributesOf(labels: Labels): Readonly<Record<string, string>> {
  const set = Object.entries(labels).filter(([, value]) => value !== "") as [Label, string][]; // entries of Labels
  return Object.fromEntries(set.map(([label, value]) => [attributeOf(label), value]));
}

/** An exporter that throws must not undo what was done. */
function ignoringFaults(watch: () => void): void {
  try {
    watch();
  } catch {}
}
