import type { DecisionView, Obstacle } from "../../../../src/contract/views.ts";
import { timeWords } from "../../words/times.ts";
import { isOwnHalf, isPast, isWithAnother, type Reader, staleEffects } from "./standing.ts";

/** Why something cannot be done with an item now, as a sentence; `null` where it can. */
export interface Closed {
  readonly approve: string | null;
  readonly reject: string | null;
  readonly edit: string | null;
}

/** What closes the answers to an item for whoever looks at it. The desk asks policy again; this only says beforehand what it would say. */
export function whyClosed({
  view,
  me,
  nameOf,
  now,
  isLost,
  isBusy,
}: {
  readonly view: DecisionView;
  readonly me: Reader;
  readonly nameOf: (id: string) => string;
  readonly now: number;
  readonly isLost: boolean;
  readonly isBusy: boolean;
}): Closed {
  const all = whyAllClosed(view, me, nameOf, now) ?? (isLost ? lost : null) ?? (isBusy ? busy : null);
  if (all !== null) return { approve: all, reject: all, edit: all };
  const reject = me.scopes.includes("review") ? null : "Your key may not be used for reviewing.";
  if (view.state === "needs_person") return { approve: nothingToSign, reject, edit: nothingToSign };
  if (view.obstacle !== null) {
    const why = `${obstacles[view.obstacle]}, so it cannot be approved. Reject it, and whoever asked can ask anew.`;
    return { approve: why, reject, edit: why };
  }
  const isSigner = me.scopes.includes("sign");
  return { approve: isSigner ? null : "Your key may not be used for signing.", reject, edit: reject };
}

const lost = "You can read on. Signing opens again by itself once the desk answers.";
const busy = "Your answer is on its way.";
const nothingToSign =
  "Nothing was proposed, so there is nothing to sign. Decide it elsewhere, then reject it here and say what became of it.";

const obstacles: Readonly<Record<Obstacle, string>> = {
  payload_unreadable: "It cannot be read",
  payload_erased: "What it proposed was erased",
  capability_changed: "Its capability has another version by now",
};

function whyAllClosed(view: DecisionView, me: Reader, nameOf: (id: string) => string, now: number): string | null {
  const { state, requestedBy, taken, expiresAt } = view;
  if (isPast(view, now)) {
    const when = expiresAt === null ? "" : ` at ${timeWords(expiresAt, now, false)} UTC`;
    return `It expired${when}. Nothing was applied.`;
  }
  if (staleEffects(view).length > 0)
    return "Approve is closed: the state that it was made on is stale. Your approval stays in the ledger as refused.";
  if (state !== "waiting" && state !== "needs_person") return "It waits for nobody, so there is nothing to sign.";
  if (requestedBy === me.id) return "You asked for this, so somebody else signs it.";
  if (!me.roles.includes("approver")) return "You can read all of it. Only an approver signs.";
  if (isWithAnother(view, me, now))
    return `You can read all of it. When the claim of ${nameOf(taken?.by ?? "")} ends it opens to you again.`;
  if (isOwnHalf(view, me)) return "You have signed it. The second signature is another person’s.";
  return null;
}
