import type { LicensedEffect } from "../approve/licence.ts";
import { type Refusal, refusal } from "../approve/refusal.ts";
import type { OperationRow } from "../store/tables.ts";
import { openStates } from "./operations.ts";

/** What becomes of an approval whose business key is taken. */
export type Meeting =
  | { readonly kind: "left" }
  /** The same change was seen complete under this key: one key, one consequence. */
  | { readonly kind: "joined"; readonly holder: OperationRow }
  | { readonly kind: "refused"; readonly reason: Refusal };

/** The business key is taken: the same change is one consequence and is joined when it is complete; anything else conflicts. Pure. */
export function meetHolder({ task }: Pick<LicensedEffect, "task">, holder: OperationRow | undefined): Meeting {
  // Freed in this instant: the next round begins anew.
  if (holder === undefined) return { kind: "left" };
  if (holder.decision_id === task.decisionId && holder.effect_index === task.effectIndex)
    return refused("approval_used", "operation", "this effect of this proposal has an operation already");
  if (holder.params_digest !== task.proposed.paramsDigest)
    return refused("key_conflict", "params", "the business key is in use with other params");
  if (openStates.some((state) => state === holder.state)) return { kind: "left" };
  if (holder.state === "complete") return { kind: "joined", holder };
  return refused("key_conflict", holder.state, `the business key is frozen: ${holder.state}`);
}

function refused(code: Refusal["code"], rule: string, reason: string): Meeting {
  return { kind: "refused", reason: refusal(code, rule, reason) };
}
