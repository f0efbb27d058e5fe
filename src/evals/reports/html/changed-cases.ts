import type { CaseResult, EvalRun } from "../../eval-run.ts";
import { instant, repeatsPassed } from "../words.ts";
import { html, type Markup } from "./markup.ts";

/** What changed against a second run, case by case; cases that were changed are not compared, and are named. */
export function changedCases(run: EvalRun, baseline: EvalRun): Markup {
  const before = new Map(baseline.cases.map((one) => [one.id, one]));
  const now = new Set(run.cases.map(({ id }) => id));
  const pairs = run.cases.flatMap((one) => {
    const was = before.get(one.id);
    return was === undefined || was.caseDigest !== one.caseDigest ? [] : [{ one, was }];
  });
  const changed = pairs.filter(({ one, was }) => one.passed !== was.passed);
  const compared = new Set(pairs.map(({ one }) => one.id));
  const alone = [...run.cases.filter(({ id }) => !compared.has(id)), ...baseline.cases.filter(({ id }) => !now.has(id))];
  return html`<h2>Against the run of ${instant(baseline.startedAt)}</h2>
<p>${pairs.length} cases are in both; ${changed.length === 0 ? "none of them changed" : `${changed.length} of them changed`}.${
    alone.length === 0
      ? null
      : html` Not compared, since they are in one run alone or were changed: ${alone
          .map(({ id }) => id)
          .slice(0, 50)
          .join(", ")}${alone.length > 50 ? ` and ${alone.length - 50} more` : ""}.`
  }</p>
${changed.length === 0 ? null : html`<div class="wide"><table><thead><tr><th>Case</th><th>Capability</th><th>Before</th><th>Now</th></tr></thead><tbody>${changed.map(rowOf)}</tbody></table></div>`}`;
}

function rowOf({ one, was }: { one: CaseResult; was: CaseResult }): Markup {
  const cell = (of: CaseResult): Markup =>
    html`<td><span class="chip ${of.passed ? "passed" : "failed"}">${of.passed ? "passed" : "failed"}</span> <span class="meta">${repeatsPassed(of)}</span></td>`;
  return html`<tr><td class="name">${one.id}</td><td class="name">${one.capability}</td>${cell(was)}${cell(one)}</tr>`;
}
