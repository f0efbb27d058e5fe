import type { DecisionView } from "../../../contract/views.ts";
import { type Html, html } from "./html.ts";
import { mark } from "./marks.ts";
import { kindChip, kindOfItem } from "./provenance.ts";

/** An answer: each claim with the number of its source, the sources below, and what was left out. */
export function claimList(view: DecisionView): Html {
  const sources = sourcesOf(view);
  const numberOf = (source: string) => sources.findIndex((one) => one.source === source) + 1;
  return html`<ul class="claims">${view.claims.map(
    ({ text, source, also = [] }) =>
      html`<li><span>${text}</span> ${[source, ...also.map((one) => one.source)].map((one) => html`<span class="key"><span class="hidden">source </span>${numberOf(one)}</span> `)}</li>`,
  )}</ul>
<ol class="sources">${sources.map(({ source, citation }, index) => sourceRow({ number: index + 1, source, citation }))}</ol>
${view.droppedClaims.map(({ text, reason }) => html`<p class="left-out">${mark("warning", "wait")}<span><strong>Left out:</strong> “${text}” ${reason}</span></p>`)}`;
}

/** The sources behind the claims of a decision, each once, in the order in which they are first named. */
function sourcesOf(view: DecisionView): readonly { source: string; citation: string }[] {
  const named = view.claims.flatMap(({ source, citation, also = [] }) => [{ source, citation }, ...also]);
  const seen = new Map(named.map(({ source, citation }) => [source, citation]));
  return [...seen].map(([source, citation]) => ({ source, citation }));
}

function sourceRow({ number, source, citation }: { number: number; source: string; citation: string }): Html {
  return html`<li><span class="key" aria-hidden="true">${number}</span> <span>${citation}</span> ${kindChip(kindOfItem(source))}</li>`;
}
