/**
 * Conformance, not accuracy: is every gold derivation over real annual reports a registered calculation, run exactly by code over numbers
 * that stand in the report? No model is asked. A number with one digit changed must be refused, and so must a sum over two units. The
 * reports are somebody else's and lie in a folder that is named; nothing of them is here.
 */
import type { LoadedContext } from "../../src/contract/context.ts";
import { type Changed, changeDigits } from "./mutate.ts";
import { type Question, type Report, readSet } from "./read-set.ts";
import { calculatedFor, type Outcome } from "./score.ts";
import { loadedOf } from "./source.ts";
import { type Crossed, crossUnits } from "./units.ts";

/** How many of how many, and which were not. */
export interface Share {
  readonly count: number;
  readonly right: number;
  readonly share: number | null;
  readonly failing: readonly string[];
}

/** What was found, or why nothing was. */
export type TatqaReport =
  | { readonly name: "tatqa"; readonly skipped: string }
  | {
      readonly name: "tatqa";
      readonly kind: "conformance of calculations; no model is asked";
      readonly split: "open" | "held";
      readonly derivations: Share;
      /** Derivations that do not give their own gold answer, by the set's own mark. */
      readonly excluded: number;
      /** Calculated only where each cell speaks for its own unit, since the table's caption is not of all its numbers. */
      readonly withoutDeclaredUnits: number;
      readonly operands: number;
      /** Every digit of every operand changed, one at a time. */
      readonly changedDigits: Share & { readonly setAside: number };
      /** Sums over two units, which code refuses, and over two scales, which it converts. */
      readonly units: Crossed;
      /** The scale that code tells beside the answer, where the gold answer has one and the report names one. */
      readonly scaleTold: Omit<Share, "failing">;
      readonly passed: boolean;
    };

/** Runs the benchmark over the folder of all sets; says that it was skipped where the set is absent. */
export async function tatqa({ data, split }: { data: string | null; split: "open" | "held" }): Promise<TatqaReport> {
  if (data === null) return skipped("no folder of test material was named; use `--data DIR` or COUNTERSIGN_BENCH_DATA");
  const set = await readSet({ data, split });
  if ("missing" in set) return skipped(`\`${set.missing}\` is not there`);
  const asked = set.questions.filter(({ answer_type: type }) => type === "arithmetic");
  const scored = asked.filter((one) => one.derivation_matches_answer === true);
  const cases = scored.map((question) => caseOf(question, set.reports.get(question.context_id)));
  const failing = cases.flatMap(({ question, outcome }) => (isRight(outcome) ? [] : [question.id]));
  const changed = cases.flatMap((one) => changesOf(one));
  const derivations = shareOf(cases.length, failing);
  const changedDigits = { ...changedShare(changed), setAside: changed.reduce((sum, { inReport }) => sum + inReport, 0) };
  const units = crossUnits();
  return {
    name: "tatqa",
    kind: "conformance of calculations; no model is asked",
    split,
    derivations,
    excluded: asked.length - scored.length,
    withoutDeclaredUnits: cases.filter(({ isDeclared }) => !isDeclared).length,
    operands: cases.reduce((sum, { outcome }) => sum + (outcome.kind === "calculated" ? outcome.operands.length : 0), 0),
    changedDigits,
    units,
    scaleTold: scaleShare(cases),
    passed: derivations.share === 1 && changedDigits.share === 1 && units.right === units.count,
  };
}

interface Case {
  readonly question: Question;
  readonly report: Report;
  readonly context: LoadedContext;
  readonly outcome: Outcome;
  readonly isDeclared: boolean;
}

function caseOf(question: Question, report: Report | undefined): Case {
  if (report === undefined) throw new Error(`\`${question.id}\` names a report that is not there`);
  const declared = loadedOf(report, { isDeclared: true });
  const outcome = calculatedFor(question, declared);
  if (outcome.kind !== "refused") return { question, report, context: declared, outcome, isDeclared: true };
  const bare = loadedOf(report, { isDeclared: false });
  return { question, report, context: bare, outcome: calculatedFor(question, bare), isDeclared: false };
}

function isRight(outcome: Outcome): boolean {
  return outcome.kind === "calculated" && outcome.isMatch;
}

function changesOf({ outcome, report, context }: Case): readonly Changed[] {
  if (outcome.kind !== "calculated") return [];
  const numbers = new Set(outcome.operands.map(({ written }) => written));
  return [...numbers].map((written) => changeDigits({ written, report, context }));
}

function changedShare(changed: readonly Changed[]): Share {
  const failing = changed.flatMap(({ letThrough }) => letThrough);
  return shareOf(
    changed.reduce((sum, { refused }) => sum + refused, failing.length),
    failing,
  );
}

function scaleShare(cases: readonly Case[]): Omit<Share, "failing"> {
  const told = cases.flatMap(({ question, outcome }) => {
    if (outcome.kind !== "calculated" || outcome.value.scale === "one" || question.scale === "") return [];
    return [outcome.value.scale === question.scale];
  });
  const right = told.filter((one) => one).length;
  return { count: told.length, right, share: told.length === 0 ? null : right / told.length };
}

/** An empty set proves nothing, so its share is no 1. */
function shareOf(count: number, failing: readonly string[]): Share {
  const right = count - failing.length;
  return { count, right, share: count === 0 ? null : right / count, failing: failing.slice(0, 20) };
}

function skipped(why: string): TatqaReport {
  return { name: "tatqa", skipped: why };
}
