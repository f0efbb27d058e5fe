import type { CaseResult, EvalRun, Repeat } from "../eval-run.ts";
import { percentile } from "../scorers/ranking.ts";
import { mean } from "../statistics/bootstrap.ts";
import { type Floor, isTime } from "./gate-file.ts";

/** A figure over cases: its value, from how many cases, and those that were asked for it and have none. */
export interface Measure {
  readonly value: number | null;
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

/** Works out a metric over cases: each case counts once, however often it was played. Times are over all repeats. */
export function measure(metric: string, cases: readonly CaseResult[]): Measure {
  if (metric === "cases.passed") return { ...whole(cases), value: shareOf(cases.map(({ passed }) => passed)) };
  if (isTime(metric)) return timeOf(metric, cases);
  const asked = cases.map((one) => ({ one, scores: scoresOf(one, metric) })).filter(({ scores }) => scores.length > 0);
  const without = asked.filter(({ scores }) => scores.some(({ value }) => value === null));
  const values = asked.map(({ scores }) => mean(scores.flatMap(({ value }) => value ?? [])));
  return {
    value: values.length === 0 ? null : mean(values),
    cases: asked.length,
    without: without.map(({ one }) => one.id),
    why: without[0]?.scores.find(({ value }) => value === null)?.why ?? "",
  };
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

function shareOf(passed: readonly boolean[]): number | null {
  return passed.length === 0 ? null : passed.filter(Boolean).length / passed.length;
}

function scoresOf({ repeats }: CaseResult, metric: string): Repeat["scores"] {
  return repeats.flatMap(({ scores }) => scores.filter((score) => score.metric === metric));
}
