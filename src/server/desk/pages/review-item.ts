import type { DecisionView } from "../../../contract/views.ts";
import type { Check, ShownStep } from "../evidence.ts";
import { changeTable } from "./change-table.ts";
import { claimList } from "./claims.ts";
import { effectCard } from "./effect-card.ts";
import { type Html, html } from "./html.ts";
import { lookedAt } from "./looked-at.ts";
import { routeChip } from "./route-chip.ts";
import { signalList } from "./signal-list.ts";
import { lookAgainMs, stateStatement } from "./state-line.ts";
import type { NameOf } from "./steps.ts";
import { time } from "./times.ts";
import { titleOf } from "./words.ts";

/** One proposal for the person who signs: sentence, what changes, what is unsure, what happens on approval. */
export function reviewItem({
  view,
  checks,
  steps,
  nameOf,
  now,
}: {
  view: DecisionView;
  checks: readonly Check[];
  steps: readonly ShownStep[];
  nameOf: NameOf;
  now: number;
}): Html {
  const again = lookAgainMs(view);
  const isOpen = (view.state === "waiting" || view.state === "needs_person") && view.obstacle === null;
  return html`<section class="item" aria-labelledby="sentence" ${again === null ? "" : html`data-look="${view.id}" data-again="${again}"`}>
<p class="meta item-meta"><span>${view.capability} v${view.capabilityVersion}</span> <span>asked by ${nameOf(view.requestedBy)}</span> ${time(view.at, now)}${view.isScripted ? html` <span>scripted replies, no model</span>` : ""} <a href="/decisions/${view.id}">How it was decided</a></p>
<h1 id="sentence">${titleOf(view)}</h1>
${isOpen && view.state === "waiting" ? routeChip(view) : html`<div class="card padded">${isOpen ? routeChip(view) : ""}${stateStatement(view)}</div>`}
${view.effects.length === 0 ? "" : changes(view, now)}
<h2>What is unsure</h2>
<div class="card">${signalList(view, checks)}</div>
${lookedAt(steps)}
${view.effects.length === 0 ? "" : effects(view, isOpen)}
</section>`;
}

/** What the proposal rests on, beside it or below it. */
export function evidence(view: DecisionView): Html {
  return html`<aside class="evidence" aria-labelledby="evidence-title"><h2 id="evidence-title">Evidence</h2>
${view.claims.length === 0 ? html`<p class="meta">${view.effects.length === 0 ? "No source is named." : "No source is named. The values and where they come from are in “What changes”."}</p>` : html`<div class="card">${claimList(view)}</div>`}</aside>`;
}

function changes({ effects, at }: DecisionView, now: number): Html {
  return html`<h2>What changes</h2>
${effects.map((effect) => html`<div class="card change"><h3><span class="number">${effect.index + 1}</span> ${effect.sentence}</h3>${changeTable(effect, time(at, now))}</div>`)}`;
}

function effects({ id, effects: all }: DecisionView, isOpen: boolean): Html {
  return html`<div class="heading"><h2>${isOpen ? "What happens on approval" : "What happens"}</h2>${all.length > 1 ? html`<span class="meta">each starts when the one before is complete</span>` : ""}</div>
<ol class="effects">${all.map((effect) => effectCard(effect, id))}</ol>`;
}
