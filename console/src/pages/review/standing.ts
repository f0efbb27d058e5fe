import type { SessionView } from "../../../../src/contract/session.ts";
import type { DecisionView, EffectView } from "../../../../src/contract/views.ts";
import { isHalfSigned } from "../../words/states.ts";

/** Whoever looks at an item, as far as it decides what they may do with it. */
export type Reader = Pick<SessionView, "id" | "roles" | "scopes">;

/** Says whether an item waits for a person, and its time has not ended. */
export function isOpen({ state, expiresAt }: DecisionView, now: number): boolean {
  return (state === "waiting" || state === "needs_person") && (expiresAt === null || expiresAt > now);
}

/** Says whether its time ended while it was shown, before the service has said so. */
export function isPast({ state, expiresAt }: DecisionView, now: number): boolean {
  return state === "expired" || ((state === "waiting" || state === "needs_person") && expiresAt !== null && expiresAt <= now);
}

/** Says whether it waits, and somebody else has it to themselves just now. */
export function isWithAnother({ taken }: DecisionView, me: Pick<Reader, "id">, now: number): boolean {
  return taken !== null && taken.by !== me.id && taken.until > now;
}

/** Until when this reader has it to themselves; `null` where they do not. */
export function ownUntil({ taken }: DecisionView, me: Pick<Reader, "id">, now: number): number | null {
  return taken !== null && taken.by === me.id && taken.until > now ? taken.until : null;
}

/** Says whether this reader has signed all of it that takes two, so that what is missing is another person's. */
export function isOwnHalf(view: DecisionView, me: Pick<Reader, "id">): boolean {
  return isHalfSigned(view) && view.effects.every(({ state, signedBy }) => state !== "half_signed" || signedBy.includes(me.id));
}

/** Says whether this reader could answer it now: what is opened by itself after an answer. */
export function isAnswerable(view: DecisionView, me: Reader, now: number): boolean {
  return isOpen(view, now) && view.requestedBy !== me.id && !isWithAnother(view, me, now) && !isOwnHalf(view, me);
}

/** Says whether signing asks for a second step: whatever leaves the house, cannot be undone, or is of more than low risk. */
export function needsConfirming({ effects }: DecisionView): boolean {
  return effects.some(({ risk, sideEffect, reversible }) => risk !== "low" || sideEffect === "external" || !reversible);
}

/** Says whether a person has to form their own view before they see what was proposed. */
export function isCoveredKind({ route, state, obstacle }: DecisionView): boolean {
  return route === "hitl_required" && state === "waiting" && obstacle === null;
}

/** The effects whose approval was refused since the state had changed after it was seen. */
export function staleEffects({ effects }: DecisionView): readonly EffectView[] {
  return effects.filter(({ state, refusedCode }) => state === "refused" && refusedCode === "stale_before_state");
}

/** Says whether this reader signed a part of it that was not begun, so that they can take the signature back. */
export function isWithdrawable({ state, effects }: DecisionView, me: Pick<Reader, "id">): boolean {
  if (!["waiting", "signed", "applying"].includes(state)) return false;
  return effects.some((effect) => {
    const isUnbegun = effect.state === "signed" || effect.state === "half_signed";
    return isUnbegun && effect.approverKind === "person" && effect.signedBy.includes(me.id);
  });
}
