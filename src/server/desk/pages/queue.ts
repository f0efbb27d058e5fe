import type { DecisionView } from "../../../contract/views.ts";
import { type Html, html } from "./html.ts";
import { mark } from "./marks.ts";
import { notice } from "./notice.ts";
import type { NameOf } from "./steps.ts";
import { time } from "./times.ts";
import { routeTones, stateLine } from "./words.ts";

/** The review queue; a decision that is open and waits no more keeps a row with its state, above the others. */
export function queue({
  waiting,
  open,
  nameOf,
  now,
}: {
  waiting: readonly DecisionView[];
  open: DecisionView | null;
  nameOf: NameOf;
  now: number;
}): Html {
  const rows = open === null || waiting.some((view) => view.id === open.id) ? waiting : [open, ...waiting];
  return html`<nav class="queue" aria-label="Review queue">
<header><h2>Review queue</h2><span class="meta">${waiting.length} waiting</span></header>
${rows.length === 0 ? notice({ title: "Nothing waits for you.", detail: "The next proposal shows up here once the page is loaded again.", link: { href: "/review", words: "Look again" } }) : ""}
<ul>${rows.map((view) => html`<li>${queueRow({ view, isOpen: view.id === open?.id, nameOf, now })}</li>`)}</ul>
</nav>`;
}

function queueRow({ view, isOpen, nameOf, now }: { view: DecisionView; isOpen: boolean; nameOf: NameOf; now: number }): Html {
  const here = isOpen ? html`aria-current="true"` : "";
  const line = stateLine(view);
  const shape =
    view.state === "waiting" && view.route !== null ? mark(view.route, routeTones[view.route]) : mark(line.mark, line.tone);
  return html`<a href="/review/${view.id}" ${here}>${shape}<span><span class="row-title">${view.summary ?? view.capability}</span>
<span class="meta"><span>${view.capability}, ${nameOf(view.requestedBy)}</span> <span>${view.state === "waiting" ? time(view.at, now) : line.words}</span></span></span></a>`;
}
