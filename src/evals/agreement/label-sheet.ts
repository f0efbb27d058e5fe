import type { EvalRun } from "../eval-run.ts";
import type { Rubric } from "../judges/rubric.ts";
import { visible } from "../reports/visible.ts";

/**
 * A sheet for people to fill in: one row for each answer of a run and each criterion, without what the judge said, so that nobody follows
 * it. CSV (RFC 4180). What a spreadsheet would take for a formula begins with an apostrophe.
 */
export function labelSheet(run: EvalRun, rubric: Rubric): string {
  const rows = run.cases
    .filter(({ capability }) => rubric.capabilities.includes(capability))
    .flatMap(({ request, repeats }) =>
      repeats.flatMap(({ outcome, fault }) =>
        outcome.decisionId === null || fault !== null
          ? []
          : rubric.criteria.map(({ id }) => [outcome.decisionId ?? "", id, "", "", request, outcome.text]),
      ),
    );
  const head = ["decision", "criterion", "person", "reading", "request", "answer"];
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(text: string): string {
  const shown = visible(text);
  const safe = /^[=+\-@\t]/.test(shown) ? `'${shown}` : shown;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
