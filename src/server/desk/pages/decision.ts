import type { DecisionView, EntryView } from "../../../contract/views.ts";
import type { Check, ShownSignal, ShownStep } from "../evidence.ts";
import type { Session } from "../sessions.ts";
import { claimList } from "./claims.ts";
import { effectCard } from "./effect-card.ts";
import { type Html, html } from "./html.ts";
import { lookedAt } from "./looked-at.ts";
import { mark } from "./marks.ts";
import { banner, type Notice } from "./notice.ts";
import { plainName, plainShare } from "./plain.ts";
import { resolveForms, type TypedFinding } from "./resolve-form.ts";
import { routeChip } from "./route-chip.ts";
import { lookAgainMs, stateStatement } from "./state-line.ts";
import type { NameOf } from "./steps.ts";
import { storyList } from "./story.ts";
import { time } from "./times.ts";
import { confidenceWords, ruleWords } from "./words.ts";

/** What the page of one decision shows. */
export interface DecisionPage {
  readonly view: DecisionView;
  readonly story: readonly EntryView[];
  readonly signals: readonly ShownSignal[];
  readonly checks: readonly Check[];
  readonly steps: readonly ShownStep[];
  readonly session: Session;
  /** What this person sent and was refused, with why. */
  readonly refused: { readonly problem: Notice; readonly typed: TypedFinding } | null;
  readonly nameOf: NameOf;
  readonly now: number;
}

/** One decision: where it stands, how it was routed and why, and the story of its entries. */
export function decisionPage({ view, story, signals, checks, steps, session, refused, nameOf, now }: DecisionPage): Html {
  const again = lookAgainMs(view);
  return html`<article class="column decision" aria-labelledby="sentence" ${again === null ? "" : html`data-look="${view.id}" data-again="${again}"`}>
${refused === null ? "" : banner(refused.problem)}
<p class="meta item-meta"><span>${view.capability} v${view.capabilityVersion}</span> <span>asked by ${nameOf(view.requestedBy)}</span> ${time(view.at, now)} <span>${modelWords(view, nameOf)}</span></p>
<h1 id="sentence">${view.summary ?? plainName(view.capability)}</h1>
<div class="card padded">${stateStatement(view)}${view.refusal === null ? "" : html`<p class="said">${view.refusal}</p>`}</div>
${view.route === null ? "" : routing(view, signals)}
${checks.length === 0 ? "" : checkList(checks)}
${lookedAt(steps)}
${view.claims.length === 0 ? "" : html`<h2>What it says</h2><div class="card">${claimList(view)}</div>`}
${view.effects.length === 0 ? "" : html`<h2>Effects</h2><ol class="effects">${view.effects.map((effect) => effectCard(effect, view.id))}</ol>`}
${resolveForms({ view, session, typed: refused?.typed ?? null })}
<h2>Story</h2><div class="card">${storyList({ story, nameOf, now })}</div>
<p class="small">decision ${view.id}, entry ${view.entryId}${view.proposalDigest === null ? "" : `, proposal ${view.proposalDigest}`}</p>
</article>`;
}

function modelWords({ isScripted, model, editedBy }: DecisionView, nameOf: NameOf): string {
  if (editedBy !== null) return `edited by ${nameOf(editedBy)}`;
  if (isScripted) return "scripted replies, no model";
  return model === "none" ? "no model was asked" : `model ${model}`;
}

function routing(view: DecisionView, signals: readonly ShownSignal[]): Html {
  const rules = [...(view.rule === null ? [] : [view.rule]), ...view.loweredBy];
  return html`<h2>Routing</h2><div class="card padded">${routeChip(view)}
<ul class="rules">${rules.map((rule) => html`<li><code>${rule}</code> ${ruleWords(rule, view.thresholdPpm)}</li>`)}</ul>
${signals.length === 0 ? "" : signalTable(signals)}
<p class="meta">${confidenceWords(view)}</p></div>`;
}

function signalTable(signals: readonly ShownSignal[]): Html {
  return html`<table class="plain"><caption class="hidden">Signals of the confidence</caption>
<thead><tr><th scope="col">Signal</th><th scope="col">Value</th><th scope="col">Weight</th></tr></thead>
<tbody>${signals.map(({ name, ppm, weightPpm }) => html`<tr><th scope="row">${plainName(name)}</th><td>${plainShare(ppm)}</td><td>${plainShare(weightPpm)}</td></tr>`)}</tbody></table>`;
}

function checkList(checks: readonly Check[]): Html {
  return html`<h2>Checks</h2><div class="card"><ul class="signals">${checks.map(
    ({ name, passed, hard, evidence }) =>
      html`<li>${passed ? mark("tick", "quiet") : mark("cross", "wait")}<p><strong>${plainName(name)}</strong> ${passed ? "passed" : "did not fit"}${hard ? "" : ", may fail"}: ${evidence}</p></li>`,
  )}</ul></div>`;
}
