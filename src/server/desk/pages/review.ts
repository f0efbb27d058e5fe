import type { DecisionView } from "../../../contract/views.ts";
import type { Evidence } from "../evidence.ts";
import type { Session } from "../sessions.ts";
import { type Html, html } from "./html.ts";
import { banner, type Notice, notice } from "./notice.ts";
import { queue } from "./queue.ts";
import { evidence, reviewItem } from "./review-item.ts";
import { type SignStep, signBar } from "./sign-bar.ts";
import type { NameOf } from "./steps.ts";

/** What the page Review shows. */
export interface ReviewPage {
  readonly session: Session;
  readonly waiting: readonly DecisionView[];
  readonly open: ({ readonly view: DecisionView } & Evidence) | null;
  /** The person came for the queue, not for one item: on a phone the queue comes first. */
  readonly isQueueFirst: boolean;
  readonly step: SignStep;
  readonly reason: string;
  readonly problem: Notice | null;
  readonly nameOf: NameOf;
  readonly now: number;
}

/** The page where a person approves or rejects, and sees what came of it. */
export function reviewPage({ session, waiting, open, isQueueFirst, step, reason, problem, nameOf, now }: ReviewPage): Html {
  return html`<div class="review${isQueueFirst ? " queue-first" : ""}">
${queue({ waiting, open: open?.view ?? null, nameOf, now })}
<div class="open">${problem === null ? "" : banner(problem)}
${open === null ? nothingOpen() : openItem({ ...open, session, waiting: waiting.length, step, reason, nameOf, now })}</div>
</div>`;
}

function nothingOpen(): Html {
  return html`<section class="item"><h1 class="hidden">Review</h1>${notice({ title: "Nothing is open.", detail: "A proposal that waits for a person shows up in the queue; open it to see what it changes." })}</section>`;
}

function openItem(shown: {
  view: DecisionView;
  checks: Evidence["checks"];
  steps: Evidence["steps"];
  session: Session;
  waiting: number;
  step: SignStep;
  reason: string;
  nameOf: NameOf;
  now: number;
}): Html {
  return html`<p class="to-queue"><a href="/review">Queue ${shown.waiting}</a></p>
<div class="sheets">${reviewItem(shown)}${evidence(shown.view)}</div>
${signBar(shown)}`;
}
