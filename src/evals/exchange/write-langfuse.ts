import type { EvalCase } from "../case-file.ts";
import type { EvalRun } from "../eval-run.ts";
import { restKey, restOf, withoutEmpty } from "./case-rest.ts";
import type { Exported } from "./exchanged.ts";

/**
 * Eval cases as items of a Langfuse dataset, as its API takes them: JSON, or CSV with a column for each member. What is expected is the
 * expected output, everything else the metadata; nothing is left out.
 */
export function writeLangfuse(
  cases: readonly EvalCase[],
  { form, dataset }: { form: "json" | "csv"; dataset: string },
): Exported {
  const items = cases.map((one) => ({
    id: one.id,
    datasetName: dataset,
    input: one.request,
    expectedOutput: withoutEmpty(one.expectations),
    metadata: { [restKey]: withoutExpectations(restOf(one, {})) },
    status: "ACTIVE",
  }));
  if (form === "json") return { text: `${JSON.stringify(items, null, 2)}\n`, notes: [] };
  const columns = ["id", "datasetName", "input", "expectedOutput", "metadata", "status"] as const;
  const rows = items.map((item) => columns.map((name) => cell(textOf(name, item[name]))));
  return { text: [columns, ...rows].map((row) => `${row.join(",")}\r\n`).join(""), notes: [] };
}

function withoutExpectations(rest: object): object {
  return Object.fromEntries(Object.entries(rest).filter(([name]) => name !== "expectations"));
}

/** A request in free text is written as JSON too, so that one that looks like JSON comes back as the text that it is. */
function textOf(name: string, value: unknown): string {
  return typeof value === "string" && name !== "input" ? value : JSON.stringify(value);
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The scores of a run as Langfuse's API takes them, one for each score with a value: the trace is the decision, its id without hyphens.
 * Scores without a value have no form there; they are named.
 */
export function writeLangfuseScores(run: EvalRun): Exported {
  const all = run.cases.flatMap(({ id, repeats }) =>
    repeats.flatMap(({ outcome, scores, repeat }) =>
      scores.map((score) => ({ caseId: id, repeat, decisionId: outcome.decisionId, score })),
    ),
  );
  const isWhole = (one: (typeof all)[number]): boolean => one.score.value !== null && one.decisionId !== null;
  const scores = all.filter(isWhole).map(({ caseId, repeat, decisionId, score }) => ({
    id: `${run.id}-${caseId}-${repeat}-${score.metric}`,
    traceId: decisionId?.replaceAll("-", ""),
    name: score.metric,
    value: score.value,
    dataType: "NUMERIC",
    ...(score.why === "" ? {} : { comment: score.why }),
  }));
  const notes = all
    .filter((one) => !isWhole(one))
    .map(({ caseId, repeat, decisionId, score }) => ({
      at: `${caseId}/${repeat}`,
      what: score.metric,
      fate: "left_out" as const,
      why: decisionId === null ? "there was no decision to score" : `it has no value: ${score.why}`,
    }));
  return { text: `${JSON.stringify(scores, null, 2)}\n`, notes };
}
