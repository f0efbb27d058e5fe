import type { EffectView, HaltView } from "../../../contract/views.ts";
import type { HaltScope } from "../../../contract/words.ts";
import type { StoppedNotice } from "../../../desk.ts";
import { type Html, html } from "./html.ts";
import { mark } from "./marks.ts";
import { counted } from "./plain.ts";
import type { NameOf } from "./steps.ts";
import { time } from "./times.ts";

/** Above every page while something is stopped: what, by whom, since when and why, as far as this person may read it. */
export function stoppedStrip({ stopped, nameOf, now }: { stopped: StoppedNotice; nameOf: NameOf; now: number }): Html {
  const { isEverything, halts } = stopped;
  const what = isEverything
    ? "Nothing is sent just now; what was signed waits."
    : "Some changes are not sent just now; what was signed of them waits.";
  const further = halts.length - mostNamed;
  const named = halts.slice(0, mostNamed).map((halt) => html` <span>${haltLine(halt, { nameOf, now })}</span>`);
  return html`<p class="strip strip-wait" role="status">${mark("warning", "wait")}<span><strong>Emergency stop.</strong> ${what}${named}${further > 0 ? html` <span>And ${counted(further, "further stop")}.</span>` : ""}</span></p>`;
}

const mostNamed = 3;

function haltLine({ scope, name, by, at, reason }: HaltView, { nameOf, now }: { nameOf: NameOf; now: number }): Html {
  const what = scope === "tenant" ? html`Everything` : html`${scope === "effect" ? "Effect" : "Capability"} <code>${name}</code>`;
  return html`${what}, by ${nameOf(by)} since ${time(at, now)}: “${reason}”.`;
}

/** Beside the state of an effect that is stopped; nothing where it is not. */
export function stoppedNote({ stopped }: Pick<EffectView, "stopped">): Html | string {
  return stopped === null ? "" : html`<p class="meta">Emergency stop: ${words[stopped]}, so nothing of this is sent.</p>`;
}

/** Beside the state of a request some of which is stopped. */
export function stoppedNoteOf(effects: readonly EffectView[]): Html | string {
  return stoppedNote({ stopped: effects.find(({ stopped }) => stopped !== null)?.stopped ?? null });
}

const words: Readonly<Record<HaltScope, string>> = {
  effect: "this kind of change is stopped",
  capability: "this kind of request is stopped",
  tenant: "everything is stopped",
};
