import type { CaseResult, EvalRun, Repeat } from "../eval-run.ts";
import { numberMetric } from "../judges/judge-scores.ts";
import { mean } from "../statistics/mean.ts";
import { percentile } from "../statistics/percentile.ts";
import { type Floor, isTime } from "./gate-file.ts";

/** A figure over cases: its value, from how many cases, and those that were asked for it and have none. */
export interface Measure {
  /** `null` where no case has one. */
  readonly value: number | null;
  /** How many cases it is of: what has no value counts neither for it nor against it. */
  readonly cases: number;
  /** Ids of cases with a repeat in which the metric could not be computed. */
  readonly without: readonly string[];
  /** Why, of the first of them. */
  readonly why: string;
}

/** The cases that a floor is about. */
export function casesOf(run: Pick<EvalRun, "cases">, { capability, slice, label }: Omit<Floor, "metric">): readonly CaseResult[] {
  return run.cases.filter(
    (one) =>
      (capability === undefined || one.capability === capability) &&
      (slice === undefined || one.slice === slice) &&
      (label === undefined || one.label === label),
  );
}

/** The metrics that are of a run and of no one repeat. */
const ofRuns: readonly string[] = ["cases.passed", "cases.p50_ms", "cases.p90_ms", "retrieval.p50_ms", "retrieval.p90_ms"];

/** Whether a metric has the form of a time and is none that there is. */
export function isUnknownTime(metric: string): boolean {
  return isTime(metric) && !ofRuns.includes(metric);
}

/**
 * Works out a metric over cases: each case counts once, however often it was played. Times are over all repeats. A criterion of a judge that
 * does not apply was read; it is without a figure where the judge gave no number.
 */
export function measure(metric: string, cases: readonly CaseResult[]): Measure {
  if (metric === "cases.passed") return { ...whole(cases), value: mean(cases.map(({ passed }) => Number(passed))) };
  if (isUnknownTime(metric)) return { ...whole([]), value: null };
  if (isTime(metric)) return timeOf(metric, cases);
  const values = cases.flatMap((one) => mean(scoresOf(one, metric).flatMap(({ value }) => value ?? [])) ?? []);
  const without = cases.flatMap(({ id, ...one }) => {
    const gone = scoresOf(one, numberMetric(metric) ?? metric).find(({ value }) => value === null);
    return gone === undefined ? [] : [{ id, why: gone.why }];
  });
  return { value: mean(values), cases: values.length, without: without.map(({ id }) => id), why: without[0]?.why ?? "" };
}

/** Whether any metric of this name can come of these cases; a name that cannot is misspelt. */
export function isKnownMetric(metric: string, { cases }: Pick<EvalRun, "cases">): boolean {
  return ofRuns.includes(metric) || cases.some((one) => scoresOf(one, metric).length > 0);
}

function timeOf(metric: string, cases: readonly CaseResult[]): Measure {
  const repeats = cases.flatMap((one) => one.repeats.filter(({ fault }) => fault === null));
  const times = metric.startsWith("retrieval.") ? repeats.flatMap(searchTimes) : repeats.map(({ outcome }) => outcome.latencyMs);
  return { ...whole(cases), value: percentile(times, metric.endsWith(".p50_ms") ? 0.5 : 0.9) };
}

function searchTimes({ trace }: Repeat): readonly number[] {
  return trace.flatMap(({ at, ms }) => (at.startsWith("search ") && ms !== null ? [ms] : []));
}

function whole(cases: readonly CaseResult[]): Omit<Measure, "value"> {
  return { cases: cases.length, without: [], why: "" };
}

function scoresOf({ repeats }: Pick<CaseResult, "repeats">, metric: string): Repeat["scores"] {
  return repeats.flatMap(({ scores }) => scores.filter((score) => score.metric === metric));
}
