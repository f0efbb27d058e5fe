import type { DecisionView, Obstacle } from "../../../contract/views.ts";
import type { Session } from "../sessions.ts";
import { type Html, html } from "./html.ts";
import { counted } from "./plain.ts";
import type { NameOf } from "./steps.ts";
import { time } from "./times.ts";
import { isHalfSigned } from "./words.ts";

/** Which bar stands below an item: the two answers, or the step that one of them asks for. */
export type SignStep = "answer" | "approve" | "reject";

/** The bar below an item: approve and reject with equal weight, or the step that confirms one of them, in the same place. */
export function signBar({
  view,
  session,
  step,
  reason,
  nameOf,
  now,
}: {
  view: DecisionView;
  session: Session;
  step: SignStep;
  reason: string;
  nameOf: NameOf;
  now: number;
}): Html {
  const closed = whyClosed(view, session, nameOf);
  if (closed !== null)
    return html`<div class="sign-bar"><p class="meta">${closed}</p><a href="/decisions/${view.id}">How it was decided</a>${successorLink(view)}${withdrawForm(view, session)}</div>`;
  if (step === "reject") return rejectBar({ view, session, reason });
  if (view.state === "needs_person") return voidBar(view.id, nothingToSign);
  if (view.obstacle !== null)
    return voidBar(view.id, `${obstacles[view.obstacle]}, so it cannot be approved. Reject it, and whoever asked can ask anew.`);
  return step === "approve" ? confirmBar(view, session) : answerBar(view, session, takenLine({ view, session, nameOf, now }));
}

/** Says whether signing asks for a second step: whatever leaves the house, cannot be undone, or is of more than low risk. */
function needsConfirming({ effects }: DecisionView): boolean {
  return effects.some(({ risk, sideEffect, reversible }) => risk !== "low" || sideEffect === "external" || !reversible);
}

function successorLink({ supersededBy }: DecisionView): Html | string {
  return supersededBy === null ? "" : html` <a href="/review/${supersededBy}">What stands in its place</a>`;
}

/** What this person signed and nothing was begun under; of several effects the first that stands so is enough. */
function withdrawForm({ id, state, effects }: DecisionView, session: Session): Html | string {
  const isOpen = effects.some((effect) => {
    const isUnbegun = effect.state === "signed" || effect.state === "half_signed";
    return isUnbegun && effect.approverKind === "person" && effect.signedBy.includes(session.principal.id);
  });
  if (!isOpen || !["waiting", "signed", "applying"].includes(state)) return "";
  return html`<form method="post" action="/review/${id}/withdraw">${tokenField(session)}<button class="button small" data-needs-desk>Withdraw your signature</button></form>`;
}

/** Who has it, for how long; and for whoever may, the way to have it or to let it go. */
function takenLine({
  view: { id, taken },
  session,
  nameOf,
  now,
}: {
  view: DecisionView;
  session: Session;
  nameOf: NameOf;
  now: number;
}): Html {
  const isOwn = taken?.by === session.principal.id;
  const words =
    taken === null
      ? ""
      : html`${isOwn ? "You have taken it up" : html`<strong>${nameOf(taken.by)}</strong> has taken it up`} until ${time(taken.until, now)}. `;
  const verb = (path: string, label: string) =>
    html`<form method="post" action="/review/${id}/${path}">${tokenField(session)}<button class="button small" data-needs-desk>${label}</button></form>`;
  const ways =
    taken === null ? verb("take", "Take it up") : isOwn ? html`${verb("take", "Extend")} ${verb("release", "Release")}` : "";
  return html`<div class="meta taken"><span>${words}</span>${ways}</div>`;
}

function whyClosed(view: DecisionView, { principal }: Session, nameOf: NameOf): string | null {
  const { state, requestedBy, taken } = view;
  if (state !== "waiting" && state !== "needs_person") return "It waits for nobody, so there is nothing to sign.";
  if (requestedBy === principal.id) return "You asked for this, so somebody else signs it.";
  if (!principal.roles.includes("approver")) return "You can read all of it. Only an approver signs.";
  if (taken !== null && taken.by !== principal.id) return `${nameOf(taken.by)} has taken it up, so nobody else answers it now.`;
  if (
    isHalfSigned(view) &&
    view.effects.every((effect) => effect.signedBy.includes(principal.id) || effect.state !== "half_signed")
  )
    return "You have signed it. The second signature is another person’s.";
  return null;
}

function answerBar(view: DecisionView, session: Session, taken: Html): Html {
  const asks = needsConfirming(view);
  const approve = asks
    ? html`<form method="get" action="/review/${view.id}"><input type="hidden" name="step" value="approve"><button class="button primary wide" data-needs-desk>${approveWords(view)}…</button></form>`
    : html`<form method="post" action="/review/${view.id}/approve">${tokenField(session)}<button class="button primary wide" data-needs-desk>${approveWords(view)}</button></form>`;
  return html`<div class="sign-bar"><div class="answers">${approve}
<form method="get" action="/review/${view.id}"><input type="hidden" name="step" value="reject"><button class="button solid wide" data-needs-desk>Reject…</button></form></div>
<p class="meta">${signsWords(view)} ${takesTwo(view)}If the state that you see has changed by then, nothing is sent.</p>${taken}</div>`;
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

function takesTwo({ effects }: DecisionView): string {
  if (!effects.some(({ signaturesNeeded }) => signaturesNeeded > 1)) return "";
  return effects.some(({ state }) => state === "half_signed") ? "You sign as the second of two. " : "Two people have to sign. ";
}

function tokenField({ token }: Session): Html {
  return html`<input type="hidden" name="token" value="${token}">`;
}
