/** How reports write figures, the same in each. */
import type { CaseResult, Repeat } from "../eval-run.ts";
import type { GateFinding } from "../gate/finding.ts";
import { isTime } from "../gate/gate-file.ts";

/** A share with three decimals; `-` where there is none. Cut, not rounded: 0.8996 does not look as if it reached a floor of 0.9. */
export function share(value: number | null): string {
  return value === null ? "-" : (Math.floor(value * 1000 + 1e-9) / 1000).toFixed(3);
}

/** Milliseconds, or seconds where there are many; `-` where there is none. */
export function time(ms: number | null): string {
  if (ms === null) return "-";
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** The value or the floor of a finding by what it is of: a time, a number of cases, or a share. */
export function findingFigure({ rule, metric }: Pick<GateFinding, "rule" | "metric">, figure: number | null): string {
  const isSize = rule === "missing_case" || (rule === "empty_set" && metric === null);
  if (isSize) return figure === null ? "-" : String(figure);
  // The change of a time is told as a share of what it was.
  return metric !== null && isTime(metric) && rule !== "regression" ? time(figure) : share(figure);
}

/** Money in the unit that prices are in, which reports do not know. */
export function money(micros: number): string {
  return (micros / 1_000_000).toFixed(4);
}

/** An instant in UTC, to the second. */
export function instant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** How many repeats of a case passed, in words. */
export function repeatsPassed({ repeats }: Pick<CaseResult, "repeats">): string {
  return `${repeats.filter(({ passed }) => passed).length} of ${repeats.length} repeats passed`;
}

/** Why a repeat did not pass, one sentence for each reason; none where it passed. */
export function reasonsOf({ fault, scores, passed }: Repeat): readonly string[] {
  if (fault !== null) return [`the repeat broke (${fault.code}): ${fault.message}`];
  if (passed) return [];
  return scores.flatMap(({ metric, passed: isPassed, why }) => (isPassed === false ? [`${metric}: ${why}`] : []));
}

/** A count with its word, one or many. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
