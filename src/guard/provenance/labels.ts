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

/** The label of what stands at a pointer of a call's result: the worst of all its leaves, each `third` where nobody declared it. */
export function labelAt(rule: Pick<CallRule, "fields">, result: Json, pointer: string): Label {
  const value = atPointer(result, pointer);
  if (value === undefined) return "third";
  const leaves = leavesOf(value, pointer).map((leaf) => leaf.pointer);
  return worstOf((leaves.length === 0 ? [pointer] : leaves).map((leaf) => labelOfLeaf(rule, leaf)));
}

/** The longest declared pattern that leads to a leaf or above it gives its label. */
function labelOfLeaf({ fields }: Pick<CallRule, "fields">, pointer: string): FieldLabel {
  const steps = pointer.split("/").slice(1);
  let label: FieldLabel = "third";
  let longest = -1;
  for (const pattern of Object.keys(fields)) {
    const wanted = pattern.split("/").slice(1);
    if (wanted.length <= longest || wanted.length > steps.length) continue;
    if (!wanted.every((step, i) => step === "*" || step === steps[i])) continue;
    longest = wanted.length;
    label = fields[pattern] ?? "third";
  }
  return label;
}

/** Every text of a result that is labelled a secret. */
export function secretsIn(rule: Pick<CallRule, "fields">, result: Json): readonly string[] {
  return leavesOf(result, "").flatMap(({ pointer, value }) =>
    labelOfLeaf(rule, pointer) === "secret" && (typeof value === "string" || typeof value === "number") ? [String(value)] : [],
  );
}
