import type { DecisionView, EffectView } from "../../../contract/views.ts";
import type { Session } from "../sessions.ts";
import { type Html, html } from "./html.ts";
import { resolvedWords } from "./words.ts";

/** What a person had typed of an effect when it was refused. */
export interface TypedFinding {
  readonly effectIndex: number;
  readonly outcome: string;
  readonly evidence: string;
  readonly reason: string;
}

/** For each effect that was left to people, the form in which somebody says what became of it; none for who may not. */
export function resolveForms({
  view,
  session,
  typed,
}: {
  view: DecisionView;
  session: Session;
  typed: TypedFinding | null;
}): Html | string {
  const { principal } = session;
  // The desk asks policy again; this only keeps a form from those whom it would refuse.
  if (!principal.roles.includes("approver") || principal.onBehalfOf !== null || view.requestedBy === principal.id) return "";
  const left = view.effects.filter(({ resolvable }) => resolvable.length > 0);
  if (left.length === 0) return "";
  return html`<h2>What became of it</h2>${left.map((effect) => form({ effect, view, session, typed: typed?.effectIndex === effect.index ? typed : null }))}`;
}

function form({
  effect: { index, sentence, resolvable },
  view: { id },
  session: { token },
  typed,
}: {
  effect: EffectView;
  view: DecisionView;
  session: Session;
  typed: TypedFinding | null;
}): Html {
  const of = `resolve-${index}`;
  return html`<form class="card padded resolve" method="post" action="/decisions/${id}/resolve">
<p><strong>${sentence}</strong></p>
<p class="meta">It could not be settled here, and nothing more is sent until somebody says. Look where it should have happened; one person is enough. It stands on record under your name.</p>
<fieldset><legend>What did you find?</legend>${resolvable.map(
    (outcome) =>
      html`<label><input type="radio" name="outcome" value="${outcome}" required ${typed?.outcome === outcome ? html`checked` : ""}> ${resolvedWords[outcome].choice}</label>`,
  )}</fieldset>
<label for="${of}-evidence">What did you see, and where?</label>
<textarea id="${of}-evidence" name="evidence" rows="2" maxlength="4000" required>${typed?.evidence ?? ""}</textarea>
<label for="${of}-reason">Why is it ended so? <span class="meta">Whoever asked reads this.</span></label>
<textarea id="${of}-reason" name="reason" rows="2" maxlength="2000" required>${typed?.reason ?? ""}</textarea>
<input type="hidden" name="token" value="${token}"><input type="hidden" name="effectIndex" value="${index}">
<button class="button solid" data-needs-desk>Put it on record</button></form>`;
}
