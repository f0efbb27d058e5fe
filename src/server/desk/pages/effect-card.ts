import type { EffectView } from "../../../contract/views.ts";
import { type Html, html } from "./html.ts";
import { mark } from "./marks.ts";
import { liveLine } from "./state-line.ts";
import { effectLine } from "./steps.ts";
import { stoppedNote } from "./stopped.ts";
import { promiseWords } from "./words.ts";

/** What one effect does on approval: what is promised, what verifies it, whether it can be undone; and where it stands once signed. */
export function effectCard(effect: EffectView, decisionId: string): Html {
  const { index, sentence, sideEffect, reversible, risk, dedupe } = effect;
  const isOutside = sideEffect === "external";
  const space = isOutside ? "External" : "Own space";
  const bar = reversible
    ? ""
    : html`<p class="bar">${isOutside ? mark("outside", "quiet") : ""} <span>${isOutside ? "External, cannot be undone" : "Cannot be undone"}</span></p>`;
  const undone = reversible ? html`<span>${space}. Can be undone.</span>` : "";
  const stands = effect.state === "proposed" ? "" : liveLine(`effect-${decisionId}-${index}`, effectLine(effect));
  return html`<li class="effect${isOutside ? " effect-outside" : ""}${reversible ? "" : " effect-final"}">
${bar}
<div class="effect-body"><span class="number">${index + 1}</span>
<div><p><strong>${sentence}</strong></p>
<p class="meta">${isOutside && reversible ? mark("outside", "quiet") : ""} ${undone} <span>${promiseWords(dedupe)}</span> <span>A separate read says whether it is done.</span></p>
${stands}${stoppedNote(effect)}</div>
<span class="risk">risk ${risk}</span></div>
</li>`;
}
