import type { DecisionView } from "../../../contract/views.ts";
import { type Html, html } from "./html.ts";
import { mark } from "./marks.ts";
import { effectLine, type NameOf, stepLines } from "./steps.ts";
import { time } from "./times.ts";
import { isBeingEnded, type Line, routeTones, stateLine } from "./words.ts";

/** The lines of one decision that change while it moves, by the id of their place on a page. */
export function liveLines(view: DecisionView, nameOf: NameOf): Readonly<Record<string, Line>> {
  const steps = stepLines(view, nameOf).map((line, index) => [`step-${view.id}-${index}`, line] as const);
  const effects = view.effects.map((effect) => [`effect-${view.id}-${effect.index}`, effectLine(effect)] as const);
  const standing = stateLine(view);
  return Object.fromEntries([[`state-${view.id}`, standing], [`row-${view.id}`, standing], ...steps, ...effects]);
}

/** How soon to look again, in milliseconds; `null` for a decision that has ended. */
export function lookAgainMs(view: DecisionView): number | null {
  const { state } = view;
  if (isBeingEnded(view)) return 1000;
  if (["signed", "applying", "waiting_for_policy", "incomplete", "unknown"].includes(state)) return 1000;
  return state === "waiting" || state === "needs_person" ? 5000 : null;
}

/** Draws a line with its mark. Words and detail are replaced in place while the decision moves. */
export function liveLine(id: string, { mark: name, tone, words, detail }: Line, size: "statement" | "step" = "step"): Html {
  return html`<div class="line line-${size}" id="${id}" data-line>${mark(name, tone)}<div><strong data-words>${words}</strong> <span class="detail" data-detail>${detail}</span></div></div>`;
}

/** Where a decision stands, as a statement. */
export function stateStatement(view: DecisionView): Html {
  return liveLine(`state-${view.id}`, stateLine(view), "statement");
}

/** The steps of a decision in a row; a list on a phone. */
export function stepRow({ view, nameOf, now }: { view: DecisionView; nameOf: NameOf; now: number }): Html {
  const lines = stepLines(view, nameOf);
  const { route } = view;
  const decided =
    route === null
      ? ""
      : html`<li><div class="line line-step">${mark(route, routeTones[route])}<div><strong>Decided</strong> <span class="detail">${time(view.at, now)}</span></div></div></li>`;
  return html`<ol class="steps">${decided}${lines.map((line, index) => html`<li>${liveLine(`step-${view.id}-${index}`, line)}</li>`)}</ol>`;
}
