/** The figures of a run that every report tells: made here once, so that no two reports differ. */
import { onePpm } from "../../contract/words.ts";
import type { CaseResult, EvalRun, Repeat } from "../eval-run.ts";
import { measure } from "../gate/measures.ts";
import { mean } from "../statistics/mean.ts";
import { percentile } from "../statistics/percentile.ts";

/** One metric over the repeats that were asked for it. */
export interface MetricFigure {
  readonly metric: string;
  /** Repeats that have a score of it. */
  readonly asked: number;
  /** Of them, those with a value. */
  readonly valued: number;
  /** Over cases with a value, each counted once as a gate counts it, 0 to 1; `null` where none has one. */
  readonly mean: number | null;
  /** Of those that say whether it passed, the share that did; `null` where its values are only watched. */
  readonly passRate: number | null;
  readonly failed: number;
}

/** Cases and repeats, counted. */
export interface Totals {
  readonly cases: number;
  readonly passedCases: number;
  readonly repeats: number;
  readonly passedRepeats: number;
  readonly faultedRepeats: number;
  readonly costMicros: number;
  readonly tokens: number;
  /** Some reply came from a script, which is no model. */
  readonly isScripted: boolean;
}

/** Everything that reports tell of a run in numbers. */
export interface Figures {
  readonly totals: Totals;
  readonly metrics: readonly MetricFigure[];
  readonly latency: Latency;
  readonly capabilities: readonly (Totals & { readonly capability: string; readonly latency: Latency })[];
}

/** How long repeats took, in milliseconds; `null` where there is none. */
export interface Latency {
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly maxMs: number | null;
}

/** Works the figures of a run out. */
export function figuresOf({ cases }: Pick<EvalRun, "cases">): Figures {
  const names = [...new Set(cases.map(({ capability }) => capability))].sort();
  return {
    totals: totalsOf(cases),
    metrics: metricsOf(cases),
    latency: latencyOf(cases),
    capabilities: names.map((capability) => {
      const own = cases.filter((one) => one.capability === capability);
      return { capability, ...totalsOf(own), latency: latencyOf(own) };
    }),
  };
}

function totalsOf(cases: readonly CaseResult[]): Totals {
  const repeats = repeatsOf(cases);
  const sum = (of: (repeat: Repeat) => number): number => repeats.reduce((total, repeat) => total + of(repeat), 0);
  return {
    cases: cases.length,
    passedCases: cases.filter(({ passed }) => passed).length,
    repeats: repeats.length,
    passedRepeats: repeats.filter(({ passed }) => passed).length,
    faultedRepeats: repeats.filter(({ fault }) => fault !== null).length,
    costMicros: sum(({ outcome }) => outcome.costMicros),
    tokens: sum(({ outcome }) => Object.values(outcome.tokens).reduce((total, count) => total + count, 0)),
    isScripted: repeats.some(({ outcome }) => outcome.isScripted),
  };
}

/** By name, so that two reports can be laid side by side. */
function metricsOf(cases: readonly CaseResult[]): readonly MetricFigure[] {
  const scores = repeatsOf(cases).flatMap((repeat) => repeat.scores);
  const byMetric = Map.groupBy(scores, ({ metric }) => metric);
  const figures = [...byMetric].map(([metric, of]) => {
    const valued = of.filter(({ value }) => value !== null);
    const ruled = of.filter(({ passed }) => passed !== null);
    // A judge that gave no reading once says nothing of how many of its readings pass.
    const isWatched = valued.some(({ passed }) => passed === null) || ruled.length === 0;
    const failed = ruled.filter(({ passed }) => passed === false).length;
    return {
      metric,
      asked: of.length,
      valued: valued.length,
      mean: measure(metric, cases).value,
      passRate: isWatched ? null : (ruled.length - failed) / ruled.length,
      failed,
    };
  });
  return figures.sort((a, b) => (a.metric < b.metric ? -1 : 1));
}

/** A repeat that broke took some time too, which says nothing of the capability. */
function latencyOf(cases: readonly CaseResult[]): Latency {
  const times = latenciesOf(cases);
  return { p50Ms: percentile(times, 0.5), p90Ms: percentile(times, 0.9), maxMs: percentile(times, 1) };
}

/** How long each repeat that did not break took, in milliseconds, the shortest first. */
export function latenciesOf(cases: readonly CaseResult[]): readonly number[] {
  return repeatsOf(cases)
    .flatMap(({ fault, outcome }) => (fault === null ? [outcome.latencyMs] : []))
    .sort((a, b) => a - b);
}

/** Repeats whose confidence lies within one tenth, and how many of them passed. */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** `null` where there is none. */
  readonly meanConfidence: number | null;
  readonly passRate: number | null;
}

/** How far confidence tells how often repeats pass; `error` is the expected calibration error, `null` where nothing has a confidence. */
export interface Reliability {
  readonly bins: readonly ReliabilityBin[];
  readonly count: number;
  readonly error: number | null;
}

const tenths = 10;

/**
 * Confidence against the share of repeats that passed, in ten bins of equal width. Source of the expected calibration error: Naeini,
 * Cooper, Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian Binning" (AAAI 2015), section 2.
 */
export function reliabilityOf({ cases }: Pick<EvalRun, "cases">): Reliability {
  const points = repeatsOf(cases).flatMap(({ outcome: { confidencePpm }, fault, passed }) =>
    confidencePpm === null || fault !== null ? [] : [{ confidence: Math.min(1, confidencePpm / onePpm), passed }],
  );
  const bins = Array.from({ length: tenths }, (_, place) => {
    const within = points.filter(({ confidence }) => Math.min(tenths - 1, Math.floor(confidence * tenths)) === place);
    return {
      from: place / tenths,
      to: (place + 1) / tenths,
      count: within.length,
      meanConfidence: mean(within.map(({ confidence }) => confidence)),
      passRate: mean(within.map(({ passed }) => Number(passed))),
    };
  });
  const gap = bins.reduce((sum, bin) => sum + bin.count * Math.abs((bin.meanConfidence ?? 0) - (bin.passRate ?? 0)), 0);
  return { bins, count: points.length, error: points.length === 0 ? null : gap / points.length };
}

function repeatsOf(cases: readonly CaseResult[]): readonly Repeat[] {
  return cases.flatMap(({ repeats }) => repeats);
}
