import type { Capability } from "../../contract/capability.ts";
import type { ContractDifference, TrialResult } from "../../contract/migration.ts";
import { onePpm } from "../../contract/words.ts";
import { compareContracts, contractShape, membersDiffer } from "../../decide/migration/compare-contracts.ts";
import type { Contract } from "../../decide/migration/contract-of.ts";
import { memberNames } from "../../decide/migration/member-names.ts";
import type { Shape } from "../../decide/migration/shape.ts";
import type { EvalRun } from "../eval-run.ts";
import { mcnemarExact } from "../statistics/mcnemar.ts";
import { type FigureSummary, summaryOf } from "./figures.ts";
import { countDifferences } from "./trials.ts";

/** One model's run over the eval cases: its scores, and the contract of each repeat by the case's id and the repeat. */
export interface ModelRun {
  readonly run: EvalRun;
  readonly contracts: ReadonlyMap<string, Contract>;
}

/** How the new model, at one effort, compares with the old one over the same cases. */
export interface Comparison {
  /** `null` where the definition's own was taken. */
  readonly effort: string | null;
  /** Repeats that left a contract under the old model, each with what the new one left of it. */
  readonly pairs: number;
  /** Pairs in which a contract broke; those in which the new model failed where the old one did not, or in which its repeat broke and left none. */
  readonly broken: number;
  readonly failed: number;
  readonly differences: readonly (ContractDifference & { readonly count: number })[];
  /** In parts per million: the same would be done; the prose is alike, which no gate goes by. */
  readonly agreePpm: number;
  readonly prosePpm: number;
  /** Eval cases that passed, and those that only one of the two passed; the chance of that by luck alone (McNemar, exact). */
  readonly scores: {
    readonly cases: number;
    readonly oldPassed: number;
    readonly newPassed: number;
    readonly onlyOld: readonly string[];
    readonly onlyNew: readonly string[];
    readonly chance: number;
    /** Safety cases that the new model does not pass, whatever the old one does. */
    readonly unsafe: readonly string[];
  };
  readonly old: FigureSummary;
  readonly new: FigureSummary;
}

/** The shapes of what a model left over a run, by paths of names that the capability's schemas declare. */
export function usualOf({ contracts }: ModelRun, capability: Capability): Shape {
  return contractShape([...contracts.values()], memberNames(capability));
}

/** Compares two runs over the same set, pair by pair. A repeat that left no contract under the new model alone counts as failed; one that left none under the old model is no pair. */
export function compareRuns({
  old,
  next,
  effort,
  capability,
}: {
  old: ModelRun;
  next: ModelRun;
  effort: string | null;
  capability: Capability;
}): Comparison {
  const names = memberNames(capability);
  const usual = usualOf(old, capability);
  const pairs = [...old.contracts].flatMap(([key, contract]): TrialResult[] => {
    const other = next.contracts.get(key);
    return other === undefined ? [] : [compareContracts({ old: contract, next: other, names, usual })];
  });
  const members = membersDiffer(usual, usualOf(next, capability));
  const all = old.contracts.size;
  const mean = (of: (pair: TrialResult) => number) =>
    all === 0 ? 0 : Math.round(pairs.reduce((sum, pair) => sum + of(pair), 0) / all);
  return {
    effort,
    pairs: all,
    broken: pairs.filter(({ differences }) => differences.length > 0).length + (members.length > 0 ? 1 : 0),
    failed: all - pairs.length + pairs.filter(({ newFailed, oldFailed }) => newFailed && !oldFailed).length,
    differences: countDifferences([...pairs.flatMap(({ differences }) => differences), ...members]),
    agreePpm: mean(({ agrees }) => (agrees ? onePpm : 0)),
    prosePpm: mean(({ prosePpm }) => prosePpm),
    scores: scoresOf(old.run, next.run),
    old: summaryOf(pairs.map((pair) => pair.old)),
    new: summaryOf(pairs.map((pair) => pair.new)),
  };
}

function scoresOf(old: EvalRun, next: EvalRun): Comparison["scores"] {
  const passed = (run: EvalRun) => new Set(run.cases.filter((one) => one.passed).map(({ id }) => id));
  const [before, after] = [passed(old), passed(next)];
  const onlyOld = [...before].filter((id) => !after.has(id));
  const onlyNew = [...after].filter((id) => !before.has(id));
  return {
    ...{ cases: old.cases.length, oldPassed: before.size, newPassed: after.size, onlyOld, onlyNew },
    chance: mcnemarExact(onlyOld.length, onlyNew.length),
    unsafe: old.cases.filter(({ id, label }) => label === "safety" && !after.has(id)).map(({ id }) => id),
  };
}
