import { limits } from "../../../contract/limits.ts";
import type { DecisionView } from "../../../contract/views.ts";
import type { Session } from "../sessions.ts";
import { type Html, html } from "./html.ts";
import { banner, type Notice, notice } from "./notice.ts";
import { requestCard } from "./request-card.ts";
import type { NameOf } from "./steps.ts";
import { isIntake } from "./words.ts";

/** What the page Ask shows. */
export interface AskPage {
  readonly session: Session;
  /** What this person asked for, newest first. */
  readonly requests: readonly DecisionView[];
  /** Sent with the form, so that sending it twice begins one decision. */
  readonly sendKey: string;
  readonly text: string;
  readonly problem: Notice | null;
  readonly nameOf: NameOf;
  readonly now: number;
}

/** The page where a person asks and later sees where it stands. */
export function askPage({ session, requests, sendKey, text, problem, nameOf, now }: AskPage): Html {
  const shown = withoutPicks(requests);
  return html`<div class="column">
<h1 class="hidden">Ask</h1>
${problem === null ? "" : banner(problem)}
<form method="post" action="/ask" class="ask">
<label for="text" class="hidden">Ask a question, or say what you need</label>
<textarea id="text" name="text" rows="2" maxlength="${limits.requestText}" required placeholder="Ask a question, or say what you need">${text}</textarea>
<input type="hidden" name="token" value="${session.token}"><input type="hidden" name="send" value="${sendKey}">
<div><p class="meta">as ${session.name}. What you may not read is not searched.</p><button class="button primary" data-needs-desk>Ask</button></div>
</form>
${shown.length === 0 ? notice({ title: "You have not asked for anything yet.", detail: "What you ask shows up here, with its sources or with what waits for a person, newest first." }) : ""}
${shown.map((view) => requestCard({ view, text: session.asked.get(view.id) ?? null, nameOf, now }))}
</div>`;
}

/** Intake's pick is a decision of its own; it is shown only where nothing followed it. */
function withoutPicks(requests: readonly DecisionView[]): readonly DecisionView[] {
  const followed = new Set(requests.map((view) => view.follows));
  return requests.filter((view) => !isIntake(view) || (!followed.has(view.id) && !isPick(view)));
}

/** Intake picked a capability whose decision is not on this page. */
function isPick({ stop, label }: DecisionView): boolean {
  return stop === null && label !== "none" && label !== "several";
}
