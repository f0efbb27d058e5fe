import type { DecisionView } from "../../../contract/views.ts";
import { claimList } from "./claims.ts";
import { type Html, html } from "./html.ts";
import { plainName } from "./plain.ts";
import { lookAgainMs, stateStatement, stepRow } from "./state-line.ts";
import type { NameOf } from "./steps.ts";
import { stoppedNoteOf } from "./stopped.ts";
import { time } from "./times.ts";

/** One request of a person: what was asked, and where it stands in the words of the pages. */
export function requestCard({
  view,
  text,
  nameOf,
  now,
}: {
  view: DecisionView;
  text: string | null;
  nameOf: NameOf;
  now: number;
}): Html {
  const again = lookAgainMs(view);
  const title = text ?? view.request ?? view.summary ?? plainName(view.capability);
  return html`<article class="request" id="d-${view.id}" aria-labelledby="h-${view.id}" ${again === null ? "" : html`data-look="${view.id}" data-again="${again}"`}>
<header><h2 id="h-${view.id}">${title}</h2><span class="meta">${time(view.at, now)}</span></header>
<div class="card">${bodyOf({ view, isNamed: title !== view.summary, nameOf, now })}
<footer><span class="meta">${view.capability} v${view.capabilityVersion}${view.isScripted ? ", scripted replies, no model" : ""}${view.stop === null ? "" : `, stopped: ${view.stop.reason}`}</span>
<a href="/decisions/${view.id}">How it was decided<span class="hidden">: ${title}</span></a></footer></div>
</article>`;
}

function bodyOf({ view, isNamed, nameOf, now }: { view: DecisionView; isNamed: boolean; nameOf: NameOf; now: number }): Html {
  const named = isNamed && view.summary !== null ? html`<h3>${view.summary}</h3>` : "";
  if (view.effects.length > 0 && view.route !== "reject") {
    return html`<div class="padded">${named}${stateStatement(view)}${stoppedNoteOf(view.effects)}</div>${stepRow({ view, nameOf, now })}`;
  }
  if (view.state === "answered" && view.claims.length > 0) return claimList(view);
  const isTold = view.state === "not_in_sources" && view.claims.length > 0;
  return html`<div class="padded">${isTold ? named : ""}${stateStatement(view)}</div>${isTold ? claimList(view) : ""}`;
}
