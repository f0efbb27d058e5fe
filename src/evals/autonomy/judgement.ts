import type { JsonObject } from "../../contract/json.ts";
import { numberAt, textAt } from "../../ledger/fields.ts";
import { isFailedLook } from "../../ledger/slices/is-failed-look.ts";

/**
 * What became of a decision as far as agreement goes. `agreed`: a person signed it unchanged and its effects were seen complete. The next
 * four are disagreement. `open`: a person or the world has not answered. `unjudged`: no person looked at it, or nothing came of their look.
 */
export type Judgement = "agreed" | "rejected" | "edited" | "not_verified" | "reversed" | "open" | "unjudged";

/** An entry that follows a decision. */
export interface Said {
  readonly kind: string;
  readonly body: JsonObject;
}

/** Judges a decision of `effects` effects by the entries that follow it, in their order. */
export function judgementOf(said: readonly Said[], effects: number): Judgement {
  const kinds = new Set(said.map(({ kind }) => kind));
  if (kinds.has("rejected")) return "rejected";
  if (kinds.has("corrected")) return "edited";
  if (kinds.has("compensated")) return "reversed";
  if (kinds.has("escalated") || said.some(isFailedLook)) return "not_verified";
  const withdrawn = new Set(said.filter(({ kind }) => kind === "withdrawn").map(({ body }) => textAt(body, "approvalId")));
  const signed = effectsOf(
    said.filter(
      ({ kind, body }) =>
        kind === "approved" && textAt(body, "approverKind") === "person" && !withdrawn.has(textAt(body, "approvalId")),
    ),
  );
  if (signed.size < effects) return kinds.has("expired") || kinds.has("refused") || isSignedByPolicy(said) ? "unjudged" : "open";
  const complete = effectsOf(said.filter(({ kind, body }) => kind === "observed" && textAt(body, "verdict") === "complete"));
  if (complete.size >= effects) return "agreed";
  // Signed, and then nothing was sent, as where the world had moved on: it says nothing of the decision.
  return kinds.has("refused") ? "unjudged" : "open";
}

/** Whether people and the world have said yes or no. */
export function isJudged(judgement: Judgement): boolean {
  return judgement !== "open" && judgement !== "unjudged";
}

function isSignedByPolicy(said: readonly Said[]): boolean {
  return said.some(({ kind, body }) => kind === "approved" && textAt(body, "approverKind") === "policy");
}

function effectsOf(said: readonly Said[]): ReadonlySet<number> {
  return new Set(said.flatMap(({ body }) => numberAt(body, "effectIndex") ?? []));
}
