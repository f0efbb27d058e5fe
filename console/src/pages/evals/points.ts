import type { EvalRunView } from "../../../../src/contract/eval-view.ts";
import { plainPercent } from "../../words/plain.ts";

/** The share of cases that passed, which every run has. */
export const passRate = "cases.passed";

/** One run's value of a figure. */
export interface Point {
  readonly id: string;
  readonly at: number;
  readonly value: number;
  /** Over which cases: runs over others are not to be compared. */
  readonly setDigest: string;
}

/** The names of the figures that any of the runs has, of one capability or of all cases. */
export function metricsOf(runs: readonly EvalRunView[], capability: string | null): readonly string[] {
  const names = runs.flatMap(({ figures }) =>
    figures.filter((figure) => figure.capability === capability && figure.slice === null).map(({ metric }) => metric),
  );
  return [...new Set(names)].filter((name) => name !== passRate).toSorted();
}

/** A figure over the runs, the oldest first; runs that do not have it are left out. */
export function pointsOf(
  runs: readonly EvalRunView[],
  { metric, capability }: { readonly metric: string; readonly capability: string | null },
): readonly Point[] {
  return runs
    .flatMap((run): Point[] => {
      const value = figureOf(run, { metric, capability });
      return value === null ? [] : [{ id: run.id, at: run.startedAt, value, setDigest: run.setDigest }];
    })
    .toReversed();
}

function figureOf(
  run: EvalRunView,
  { metric, capability }: { readonly metric: string; readonly capability: string | null },
): number | null {
  const own = run.figures.find((one) => one.metric === metric && one.capability === capability && one.slice === null);
  if (own !== undefined) return own.value;
  return metric === passRate && capability === null && run.cases > 0 ? run.passedCases / run.cases : null;
}

const milliseconds = new Intl.NumberFormat("en-GB", { style: "unit", unit: "millisecond", maximumFractionDigits: 0 });

/** A figure as people read it: a time in whole milliseconds, or a share. */
export function figureWords(metric: string, value: number): string {
  return metric.endsWith("_ms") ? milliseconds.format(value) : plainPercent(value);
}
