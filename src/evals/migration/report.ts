import { onePpm } from "../../contract/words.ts";
import { againstRun } from "./against-run.ts";
import type { Comparison } from "./compare-runs.ts";
import { type FigureSummary, summaryOf } from "./figures.ts";
import type { KeptMigration } from "./stages.ts";
import type { TrialCounts } from "./trials.ts";

/** One report that holds both models: the run over the eval cases, and the trials over live requests. */
export interface MigrationReport {
  readonly migration: Omit<KeptMigration, "report" | "choice">;
  /** One for each effort; empty before `migrate run`. */
  readonly comparisons: readonly Comparison[];
  readonly trials: readonly (Omit<TrialCounts, "old" | "new"> & { readonly old: FigureSummary; readonly new: FigureSummary })[];
  /** What stands against the next step; empty where nothing does. */
  readonly against: readonly string[];
  readonly next: string;
}

/** Puts the report of a migration together. Pure. */
export function migrationReport({ kept, trials }: { kept: KeptMigration; trials: readonly TrialCounts[] }): MigrationReport {
  const { report, choice: _, ...migration } = kept;
  const comparisons = report === null ? [] : (JSON.parse(report) as readonly Comparison[]); // written by `migrate run` in this form
  return {
    migration,
    comparisons,
    trials: trials.map(({ old, new: next, ...counts }) => ({ ...counts, old: summaryOf(old), new: summaryOf(next) })),
    against: standsAgainst({ kept, comparisons, trials }),
    next: nextOf(kept, comparisons.length > 0),
  };
}

/** Why the next step of a migration may not be taken, a sentence each. */
function standsAgainst({
  kept,
  comparisons,
  trials,
}: {
  kept: KeptMigration;
  comparisons: readonly Comparison[];
  trials: readonly TrialCounts[];
}): readonly string[] {
  const { stage, bounds } = kept;
  if (stage === "planned") return againstRun(kept, comparisons);
  if (stage === "rolled_back" || stage === "retired") return [];
  const of = trials.find((one) => one.stage === stage);
  const { trials: count = 0, broken = 0, newFailed = 0, disagreed = 0 } = of ?? {};
  return [
    ...(count < bounds.leastTrials ? [`${count} of ${bounds.leastTrials} trials were made in ${wordsOf[stage]}`] : []),
    ...(broken > 0 ? [`contracts broke in ${broken} trials`] : []),
    ...(isOver(newFailed, count, bounds.mostFailedPpm) ? [`the new model failed in ${newFailed} of ${count} trials`] : []),
    ...(isOver(disagreed, count, bounds.mostDisagreePpm) ? [`the two disagree in ${disagreed} of ${count} trials`] : []),
  ];
}

function isOver(part: number, all: number, mostPpm: number): boolean {
  return all > 0 && part * onePpm > mostPpm * all;
}

const wordsOf = { shadow: "shadow", canary_share: "its share" } as const;

function nextOf({ stage, capability }: KeptMigration, isRun: boolean): string {
  const steps: Readonly<Record<KeptMigration["stage"], string>> = {
    planned: isRun ? "`countersign migrate shadow`" : "`countersign migrate run`",
    shadow: "`countersign migrate canary --share 0.05`, signed by a person",
    canary_share: `a greater share; at last name the new model in the definition of \`${capability}\`, fit its thresholds anew with \`countersign autonomy propose\`, and \`countersign migrate retire\``,
    rolled_back: "mend what broke, and `countersign migrate plan` again",
    retired: "nothing: the old model is asked no more",
  };
  return steps[stage];
}

/** The report in lines for people. */
export function reportLines(report: MigrationReport): readonly string[] {
  const { migration, comparisons, trials, against, next } = report;
  const { capability, oldModel, newModel, stage, sharePpm, rolledBackBy } = migration;
  return [
    `${capability}: ${oldModel} -> ${newModel}`,
    `stage ${stage}${stage === "canary_share" || stage === "shadow" ? `, ${percent(sharePpm)} of decisions` : ""}${rolledBackBy === null ? "" : ` by ${rolledBackBy}`}`,
    ...comparisons.flatMap(comparisonLines),
    ...trials.flatMap((one) => [
      "",
      `${one.stage}: ${one.trials} trials, contracts broken in ${one.broken}, new model failed in ${one.newFailed}, disagreed in ${one.disagreed}, prose alike ${percent(one.prosePpm)}`,
      ...one.differences.map(({ kind, path, count }) => `  ${kind} at ${path}: ${count}`),
      ...figureLines(one),
    ]),
    "",
    ...(against.length === 0 ? [] : [`against the next step: ${against.join("; ")}`]),
    `next: ${next}`,
  ];
}

function comparisonLines(one: Comparison): readonly string[] {
  const { effort, pairs, broken, failed, differences, agreePpm, prosePpm, scores } = one;
  const { cases, oldPassed, newPassed, onlyOld, onlyNew, chance, unsafe } = scores;
  return [
    "",
    `eval cases${effort === null ? "" : `, effort ${effort}`}: ${pairs} pairs, contracts broken in ${broken}, failed in ${failed}, same decision ${percent(agreePpm)}, prose alike ${percent(prosePpm)}`,
    ...differences.map(({ kind, path, count }) => `  ${kind} at ${path}: ${count}`),
    `  passed: ${oldPassed} and ${newPassed} of ${cases}; by the old one alone ${onlyOld.length}, by the new one alone ${onlyNew.length}, chance ${chance.toFixed(3)}`,
    ...onlyOld.map((id) => `  passes no more: ${id}`),
    ...unsafe.map((id) => `  does not pass a safety case: ${id}`),
    ...figureLines(one),
  ];
}

function figureLines({ old, new: next }: { old: FigureSummary; new: FigureSummary }): readonly string[] {
  const line = (name: string, one: FigureSummary) =>
    `  ${name}: p50 ${one.p50Ms} ms, p95 ${one.p95Ms} ms, cost ${(one.costMicros / onePpm).toFixed(4)}, tokens in ${one.inputTokens}, cached ${one.cachedTokens}, written ${one.cacheWriteTokens}, out ${one.outputTokens}, reasoning ${one.reasoningTokens}`;
  return [line("old", old), line("new", next)];
}

function percent(ppm: number): string {
  return `${(ppm / 10_000).toFixed(1)} %`;
}
