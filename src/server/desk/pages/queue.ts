import type { DecisionView } from "../../../contract/views.ts";
import { type Html, html } from "./html.ts";
import { mark } from "./marks.ts";
import { notice } from "./notice.ts";
import type { NameOf } from "./steps.ts";
import { time } from "./times.ts";
import { isHalfSigned, routeTones, stateLine, titleOf } from "./words.ts";

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
  const { capability, requestedBy } = view;
  const title = html`<span class="row-title">${titleOf(view)}</span>`;
  const who = html`<span>${capability}, ${nameOf(requestedBy)}</span>`;
  if (view.state === "waiting" && view.route !== null && view.obstacle === null) {
    return html`<a href="/review/${view.id}" ${here}>${mark(view.route, routeTones[view.route])}<span>${title}
<span class="meta">${who} <span>${time(view.at, now)}</span>${standing(view, nameOf)}</span></span></a>`;
  }
  const line = stateLine(view);
  return html`<a href="/review/${view.id}" id="row-${view.id}" ${here}>${mark(line.mark, line.tone)}<span>${title}
<span class="meta">${who} <span data-words>${line.words}</span></span></span></a>`;
}

/** What of a proposal that waits is news to whoever looks for work: that one of two has signed, that somebody else is at it. */
function standing(view: DecisionView, nameOf: NameOf): Html | string {
  const words = [
    ...(isHalfSigned(view) ? ["one of two has signed"] : []),
    ...(view.taken === null ? [] : [`taken up by ${nameOf(view.taken.by)}`]),
  ];
  return words.length === 0 ? "" : html` <span>${words.join(", ")}</span>`;
}
