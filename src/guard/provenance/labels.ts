import type { FieldLabel } from "../../contract/context.ts";
import { atPointer, type Json, leavesOf } from "../../contract/json.ts";
import type { CallRule } from "../../contract/plan.ts";

/** Where a value comes from, from the best to the worst; a value made of several has the worst of them. */
export const labelOrder = ["principal", "constant", "system", "own", "directory", "shared", "third", "secret"] as const;
export type Label = (typeof labelOrder)[number];

/** The worst of several labels; of none the best. */
export function worstOf(labels: readonly Label[]): Label {
  return labels.reduce<Label>((worst, one) => (labelOrder.indexOf(one) > labelOrder.indexOf(worst) ? one : worst), "principal");
}

/** Says whether nobody outside can write what has this label. */
export function isTrusted(label: Label): boolean {
  return labelOrder.indexOf(label) < labelOrder.indexOf("shared");
}

/** Gives the label of what stands at a pointer of a result: the worst of all its leaves, each `third` where nobody declared it. */
export function labeller({ fields }: Pick<CallRule, "fields">, result: Json): (pointer: string) => Label {
  const patterns = Object.entries(fields).map(([pattern, label]) => ({ steps: pattern.split("/").slice(1), label }));
  return (pointer) => {
    const value = atPointer(result, pointer);
    if (value === undefined) return "third";
    if (typeof value !== "object" || value === null) return labelOfLeaf(patterns, pointer);
    const leaves = leavesOf(value, pointer).map((leaf) => leaf.pointer);
    return worstOf((leaves.length === 0 ? [pointer] : leaves).map((leaf) => labelOfLeaf(patterns, leaf)));
  };
}

interface Pattern {
  readonly steps: readonly string[];
  readonly label: FieldLabel;
}

/** The longest declared pattern that leads to a leaf or above it gives its label. */
function labelOfLeaf(patterns: readonly Pattern[], pointer: string): FieldLabel {
  const steps = pointer.split("/").slice(1);
  let best: Pattern | undefined;
  for (const pattern of patterns) {
    if (pattern.steps.length <= (best?.steps.length ?? -1) || pattern.steps.length > steps.length) continue;
    if (pattern.steps.every((step, i) => step === "*" || step === steps[i])) best = pattern;
  }
  return best?.label ?? "third";
}

/** Every text of a result that is labelled a secret. */
export function secretsIn(rule: Pick<CallRule, "fields">, result: Json): readonly string[] {
  if (!Object.values(rule.fields).includes("secret")) return [];
  const labelled = labeller(rule, result);
  return leavesOf(result, "").flatMap(({ pointer, value }) =>
    (typeof value === "string" || typeof value === "number") && labelled(pointer) === "secret" ? [String(value)] : [],
  );
}
