import { bucketsS, type Label, type Metric, type MetricName, metricList, promLabel, promName } from "./metric-list.ts";

/** Values of labels; one that does not apply is left out, and stands as an empty text. */
export type Labels = Readonly<Partial<Record<Label, string>>>;

/** Which values a label may have. What is of no list stands as `other`, so that nothing a person or a model wrote is ever a label. */
export type LabelValues = Readonly<Record<Label, readonly string[]>>;

/** The figures of one process, in memory. */
export interface Figures {
  readonly add: (name: MetricName, labels: Labels, by: number) => Labels;
  readonly observe: (name: MetricName, labels: Labels, seconds: number) => Labels;
  /** Puts the whole of a gauge: what is not given is no more. */
  readonly put: (name: MetricName, rows: readonly { readonly labels: Labels; readonly value: number }[]) => void;
  readonly gauge: (name: MetricName) => readonly { readonly labels: Labels; readonly value: number }[];
  /** The text form of Prometheus, version 0.0.4. */
  readonly text: () => string;
}

interface Series {
  readonly labels: Labels;
  value: number;
  /** Of a histogram: how many were at most as long as each bound. */
  readonly buckets: number[];
  count: number;
}

/** Makes an empty set of figures over closed lists of label values. */
export function createFigures(values: LabelValues): Figures {
  const known = Object.fromEntries(Object.entries(values).map(([label, list]) => [label, new Set(list)]));
  const series = new Map<MetricName, Map<string, Series>>();
  const closed = (name: MetricName, given: Labels): Labels => {
    const { labels }: Metric = metricList[name];
    return Object.fromEntries(labels.map((label) => [label, listedOr(given[label], known[label])]));
  };
  const seriesOf = (name: MetricName, labels: Labels): Series => {
    const of = series.get(name) ?? new Map<string, Series>();
    series.set(name, of);
    const key = JSON.stringify(Object.values(labels));
    const one = of.get(key) ?? { labels, value: 0, buckets: bucketsS.map(() => 0), count: 0 };
    of.set(key, one);
    return one;
  };
  return {
    add: (name, given, by) => {
      const labels = closed(name, given);
      if (Number.isFinite(by) && by > 0) seriesOf(name, labels).value += by;
      return labels;
    },
    observe: (name, given, seconds) => {
      const labels = closed(name, given);
      if (Number.isFinite(seconds) && seconds >= 0) count(seriesOf(name, labels), seconds);
      return labels;
    },
    put: (name, rows) => {
      series.set(name, new Map());
      for (const { labels: given, value } of rows) {
        const one = seriesOf(name, closed(name, given));
        // Two sources of no list fall together: the worse of the two is shown.
        one.value = Math.max(one.value, value);
      }
    },
    gauge: (name) => [...(series.get(name)?.values() ?? [])].map(({ labels, value }) => ({ labels, value })),
    text: () => [...series].flatMap(([name, of]) => linesOf(name, [...of.values()])).join(""),
  };
}

function listedOr(given: string | undefined, known: ReadonlySet<string> | undefined): string {
  if (given === undefined || given === "") return "";
  return known?.has(given) === true ? given : "other";
}

function count(series: Series, seconds: number): void {
  series.value += seconds;
  series.count += 1;
  for (const [place, bound] of bucketsS.entries()) if (seconds <= bound) series.buckets[place] = (series.buckets[place] ?? 0) + 1;
}

function linesOf(name: MetricName, all: readonly Series[]): readonly string[] {
  const { kind, says }: Metric = metricList[name];
  const prom = promName(name);
  const lines = all.flatMap((one) => (kind === "histogram" ? histogramLines(prom, one) : [sample(prom, one.labels, one.value)]));
  return [`# HELP ${prom} ${says}\n`, `# TYPE ${prom} ${kind}\n`, ...lines];
}

function histogramLines(prom: string, { labels, value, buckets, count }: Series): readonly string[] {
  return [
    ...bucketsS.map((bound, place) => sample(`${prom}_bucket`, labels, buckets[place] ?? 0, String(bound))),
    sample(`${prom}_bucket`, labels, count, "+Inf"),
    sample(`${prom}_sum`, labels, value),
    sample(`${prom}_count`, labels, count),
  ];
}

function sample(name: string, labels: Labels, value: number, bound?: string): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${promLabel(label as Label)}="${escaped(text ?? "")}"`); // keys of Labels
  const all = bound === undefined ? pairs : [...pairs, `le="${bound}"`];
  return `${name}${all.length === 0 ? "" : `{${all.join(",")}}`} ${value}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
