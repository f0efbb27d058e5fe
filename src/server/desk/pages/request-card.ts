import type { DecisionView } from "../../../contract/views.ts";
import { claimList } from "./claims.ts";
import { type Html, html } from "./html.ts";
import { lookAgainMs, stateStatement, stepRow } from "./state-line.ts";
import type { NameOf } from "./steps.ts";
import { time } from "./times.ts";

/** One request of a person: what was asked, and where it stands in the words of the pages. */
export function requestCard({ view, text, nameOf, now }: { view: DecisionView; text: string | null; nameOf: NameOf; now: number }): Html {
  const again = lookAgainMs(view);
  return html`<article class="request" id="d-${view.id}" aria-labelledby="h-${view.id}" ${again === null ? "" : html`data-look="${view.id}" data-again="${again}"`}>
<header><h2 id="h-${view.id}">${text ?? view.summary ?? view.capability}</h2><span class="meta">${time(view.at, now)}</span></header>
<div class="card">${bodyOf(view, nameOf)}
<footer><span class="meta">${view.capability} v${view.capabilityVersion}${view.isScripted ? ", scripted replies, no model" : ""}${view.stop === null ? "" : `, stopped: ${view.stop.reason}`}</span>
<a href="/decisions/${view.id}">How it was decided<span class="hidden">: ${text ?? view.summary ?? view.capability}</span></a></footer></div>
</article>`;
}

function bodyOf(view: DecisionView, nameOf: NameOf): Html {
  if (view.effects.length > 0 && view.route !== "reject") {
    return html`<div class="padded"><h3>${view.summary}</h3>${stateStatement(view)}</div>${stepRow(view, nameOf)}`;
  }
  if (view.state === "answered" && view.refusal === null && view.claims.length > 0) return claimList(view);
  const said = view.refusal !== null && view.refusal !== "The sources do not say." ? html`<p class="said">${view.refusal}</p>` : "";
  const summary = view.summary !== null && view.refusal !== null && view.claims.length > 0 ? html`<h3>${view.summary}</h3>` : "";
  return html`<div class="padded">${summary}${stateStatement(view)}${said}</div>${view.claims.length > 0 ? claimList(view) : ""}`;
}
