import type { DecisionView, Obstacle } from "../../../contract/views.ts";
import type { Session } from "../sessions.ts";
import { type Html, html } from "./html.ts";
import { counted } from "./plain.ts";

/** Which bar stands below an item: the two answers, or the step that one of them asks for. */
export type SignStep = "answer" | "approve" | "reject";

/** The bar below an item: approve and reject with equal weight, or the step that confirms one of them, in the same place. */
export function signBar({
  view,
  session,
  step,
  reason,
}: {
  view: DecisionView;
  session: Session;
  step: SignStep;
  reason: string;
}): Html {
  const closed = whyClosed(view, session);
  if (closed !== null)
    return html`<div class="sign-bar"><p class="meta">${closed}</p><a href="/decisions/${view.id}">How it was decided</a></div>`;
  if (step === "reject") return rejectBar({ view, session, reason });
  if (view.state === "needs_person") return voidBar(view.id, nothingToSign);
  if (view.obstacle !== null)
    return voidBar(view.id, `${obstacles[view.obstacle]}, so it cannot be approved. Reject it, and whoever asked can ask anew.`);
  return step === "approve" ? confirmBar(view, session) : answerBar(view, session);
}

/** Says whether signing asks for a second step: whatever leaves the house, cannot be undone, or is of more than low risk. */
function needsConfirming({ effects }: DecisionView): boolean {
  return effects.some(({ risk, sideEffect, reversible }) => risk !== "low" || sideEffect === "external" || !reversible);
}

function whyClosed({ state, requestedBy }: DecisionView, { principal }: Session): string | null {
  if (state !== "waiting" && state !== "needs_person") return "It waits for nobody, so there is nothing to sign.";
  if (requestedBy === principal.id) return "You asked for this, so somebody else signs it.";
  return principal.roles.includes("approver") ? null : "You can read all of it. Only an approver signs.";
}

function answerBar(view: DecisionView, session: Session): Html {
  const asks = needsConfirming(view);
  const approve = asks
    ? html`<form method="get" action="/review/${view.id}"><input type="hidden" name="step" value="approve"><button class="button primary wide" data-needs-desk>${approveWords(view)}…</button></form>`
    : html`<form method="post" action="/review/${view.id}/approve">${tokenField(session)}<button class="button primary wide" data-needs-desk>${approveWords(view)}</button></form>`;
  return html`<div class="sign-bar"><div class="answers">${approve}
<form method="get" action="/review/${view.id}"><input type="hidden" name="step" value="reject"><button class="button solid wide" data-needs-desk>Reject…</button></form></div>
<p class="meta">${signsWords(view)} If the state that you see has changed by then, nothing is sent.</p></div>`;
}

/** What cannot be approved can still be turned down, so that it leaves the queue and whoever asked knows. */
function voidBar(id: string, why: string): Html {
  return html`<div class="sign-bar"><div class="answers"><form method="get" action="/review/${id}"><input type="hidden" name="step" value="reject"><button class="button solid wide" data-needs-desk>Reject…</button></form></div>
<p class="meta">${why}</p></div>`;
}

const nothingToSign =
  "Nothing was proposed, so there is nothing to sign. Decide it elsewhere, then reject it here and say what became of it.";

const obstacles: Readonly<Record<Obstacle, string>> = {
  payload_unreadable: "It cannot be read",
  payload_erased: "What it proposed was erased",
  capability_changed: "Its capability has another version by now",
};

function confirmBar(view: DecisionView, session: Session): Html {
  const { effects } = view;
  const isFinal = effects.some((effect) => !effect.reversible);
  return html`<section class="sign-bar confirm" aria-labelledby="confirm-title"><div><h2 id="confirm-title">${signsWords(view)}</h2>
<ol>${effects.map((effect) => html`<li>${effect.sentence}${effect.reversible ? "" : html` <strong>cannot be undone</strong>`}</li>`)}</ol>
<p class="meta">${isFinal ? "What cannot be undone is sent once. " : ""}If the state that you see has changed by then, the approval is refused and nothing is sent.</p></div>
<div class="answers"><form method="post" action="/review/${view.id}/approve">${tokenField(session)}<button class="button primary wide" autofocus data-needs-desk>Sign ${counted(effects.length, "approval")}</button></form>
<a class="button wide" href="/review/${view.id}">Back</a></div></section>`;
}

function rejectBar({ view, session, reason }: { view: DecisionView; session: Session; reason: string }): Html {
  return html`<form class="sign-bar confirm" method="post" action="/review/${view.id}/reject">
<div><label for="reason">Why is it rejected? <span class="meta">Whoever asked reads this.</span></label>
<textarea id="reason" name="reason" rows="2" maxlength="2000" required autofocus>${reason}</textarea>${tokenField(session)}</div>
<div class="answers"><button class="button solid wide" data-needs-desk>Reject the proposal</button><a class="button wide" href="/review/${view.id}">Back</a></div></form>`;
}

function approveWords({ effects }: DecisionView): string {
  return effects.length === 0 ? "Approve the answer" : `Approve ${counted(effects.length, "change")}`;
}

function signsWords({ effects }: DecisionView): string {
  if (effects.length === 0) return "You release the answer.";
  return `You sign ${counted(effects.length, "approval")}${effects.length === 1 ? "" : ", one per effect"}.`;
}

function tokenField({ token }: Session): Html {
  return html`<input type="hidden" name="token" value="${token}">`;
}
