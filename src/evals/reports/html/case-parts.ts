/** The cases of a page: what was asked, told and found wrong, with the trace of each repeat that did not pass. */
import type { CaseResult, Repeat, TraceStep } from "../../eval-run.ts";
import { shortened } from "../visible.ts";
import { counted, reasonsOf, repeatsPassed, share, time } from "../words.ts";
import { html, type Markup } from "./markup.ts";

/** Most failing cases with all that is known of them; the JSON report holds every one. */
const mostFailing = 200;
const most = { request: 4_000, told: 4_000, reason: 1_000, step: 600, steps: 60 } as const;

/** Each failing case, opened. */
export function failingCases(failing: readonly CaseResult[]): Markup {
  if (failing.length === 0) return html``;
  const more = failing.length - mostFailing;
  return html`<h2 id="failing">Failing eval cases</h2>
${failing.slice(0, mostFailing).map(failingCase)}${more > 0 ? html`<p class="meta">${more} more are in the JSON report.</p>` : null}`;
}

function failingCase(one: CaseResult): Markup {
  const failing = one.repeats.filter(({ passed }) => !passed);
  const passing = one.repeats.length - failing.length;
  return html`<details open><summary>${chipOf(one)}<b>${one.id}</b> <span class="meta">${one.capability}, ${one.label}, ${one.kind}, slice ${one.slice}, from ${one.source}; ${repeatsPassed(one)}</span></summary>
<div><p class="meta">Asked</p><blockquote>${shortened(one.request, most.request)}</blockquote>
${failing.map((repeat) => failingRepeat(repeat))}${passing > 0 ? html`<p class="meta">${counted(passing, "repeat")} passed.</p>` : null}</div></details>
`;
}

function failingRepeat(repeat: Repeat): Markup {
  const { outcome, trace, scores } = repeat;
  const reasons = reasonsOf(repeat).map((reason) => html`<li>${shortened(reason, most.reason)}</li>`);
  const told =
    outcome.text === ""
      ? html`<p class="meta">Nothing was told.</p>`
      : html`<blockquote>${shortened(outcome.text, most.told)}</blockquote>`;
  const rows = scores.map(
    ({ metric, value, passed, why }) =>
      html`<tr><td class="name">${metric}</td><td class="num">${share(value)}</td><td>${passed === null ? "watched" : passed ? "passed" : "failed"}</td><td class="why">${shortened(why, most.reason)}</td></tr>`,
  );
  return html`<details open><summary>Repeat ${repeat.repeat} <span class="meta">${factsOf(repeat)}</span></summary><div>
<ul>${reasons}</ul><p class="meta">Told</p>${told}${traceOf(trace)}
${rows.length === 0 ? null : html`<details><summary>Scores <span class="meta">${rows.length}</span></summary><div class="wide"><table><tbody>${rows}</tbody></table></div></details>`}</div></details>`;
}

function factsOf({ outcome }: Repeat): string {
  const { decisionId, state, route, rule, stop, model, isScripted, latencyMs } = outcome;
  const asked = model === null ? null : `model ${model}${isScripted ? " (scripted)" : ""}`;
  const ended = stop === null ? null : `stopped: ${stop}`;
  const routed = route === null ? null : `${route}${rule === null ? "" : ` by ${rule}`}`;
  const parts = [state, routed, ended, asked, time(latencyMs), decisionId === null ? "no decision" : `decision ${decisionId}`];
  return parts.filter((part) => part !== null).join(", ");
}

function traceOf(trace: readonly TraceStep[]): Markup {
  if (trace.length === 0) return html`<p class="meta">No trace was kept.</p>`;
  const rows = trace
    .slice(0, most.steps)
    .map(
      ({ at, what, ms }) =>
        html`<tr><td class="name">${at}</td><td class="why">${shortened(what, most.step)}</td><td class="num">${time(ms)}</td></tr>`,
    );
  const more = trace.length - most.steps;
  return html`<div class="wide"><table><thead><tr><th>Trace</th><th>What happened</th><th class="num">Time</th></tr></thead><tbody>${rows}</tbody></table></div>${more > 0 ? html`<p class="meta">${more} more steps are in the JSON report.</p>` : null}`;
}

/** Every case in one line. */
export function allCases(cases: readonly CaseResult[]): Markup {
  if (cases.length === 0) return html``;
  const rows = cases.map(
    (one) =>
      html`<tr><td>${chipOf(one)}</td><td class="name">${one.id}</td><td class="name">${one.capability}</td><td>${one.label}</td><td>${one.kind}</td><td class="name">${one.slice}</td><td class="num">${passedOf(one)}</td></tr>`,
  );
  return html`<h2>All eval cases</h2><details${cases.length <= 60 ? html` open` : null}><summary>${counted(cases.length, "case")}</summary><div class="wide"><table><thead><tr><th>Result</th><th>Case</th><th>Capability</th><th>Label</th><th>Kind</th><th>Slice</th><th class="num">Repeats</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

function passedOf({ repeats }: CaseResult): string {
  return `${repeats.filter(({ passed }) => passed).length}/${repeats.length}`;
}

function chipOf({ passed, repeats }: CaseResult): Markup {
  if (passed) return html`<span class="chip passed">passed</span>`;
  const isBroken = repeats.some(({ fault }) => fault !== null);
  return isBroken ? html`<span class="chip broke">broke</span>` : html`<span class="chip failed">failed</span>`;
}
