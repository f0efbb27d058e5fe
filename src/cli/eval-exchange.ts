import { extname, join } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import type { EvalCase } from "../evals/case-file.ts";
import { casesText } from "../evals/exchange/cases-text.ts";
import type { ExchangeNote, Exported, Imported } from "../evals/exchange/exchanged.ts";
import { readLangfuse } from "../evals/exchange/read-langfuse.ts";
import { readPromptfoo } from "../evals/exchange/read-promptfoo.ts";
import { writeLangfuse, writeLangfuseScores } from "../evals/exchange/write-langfuse.ts";
import { writePromptfoo } from "../evals/exchange/write-promptfoo.ts";
import { fileLimits } from "../evals/plain-yaml.ts";
import { readEvalCases } from "../evals/read-cases.ts";
import { oneLine } from "../evals/reports/visible.ts";
import { readReport } from "./eval-report.ts";
import type { ExchangeFormat } from "./exchange-formats.ts";
import { print } from "./print.ts";
import { readText } from "./read-text.ts";
import { writeWhole } from "./write-whole.ts";

interface ImportCommand {
  readonly format: ExchangeFormat;
  readonly to: string;
  readonly principal: string;
  readonly roles: string;
  readonly slice: string;
  readonly partial?: true;
  readonly json?: true;
}

/**
 * Makes a file of eval cases from a file of another program. What has no place here is listed; unless `partial` is given, nothing is written
 * then, and the exit code is 1. Throws `bad_request` for a file that is no plain data or of another form.
 */
export async function evalImport(
  path: string,
  { format, to, principal, roles, slice, partial, json }: ImportCommand,
): Promise<void> {
  const defaults = { principal, roles: roles.split(",").flatMap((role) => (role.trim() === "" ? [] : [role.trim()])), slice };
  const text = await readText(path, fileLimits.bytes);
  const { cases, notes }: Imported =
    format === "promptfoo" ? readPromptfoo(text, defaults) : readLangfuse(text, { form: formOf(path), defaults });
  const isWhole = notes.every(({ fate }) => fate === "changed");
  const isWritten = cases.length > 0 && (isWhole || partial === true);
  if (isWritten) await writeWhole(to, casesText(cases, extname(to)), { mayReplace: false });
  const end = isWritten
    ? `${cases.length} eval cases are in ${to}`
    : `nothing was written: ${cases.length === 0 ? "no eval case came of it" : "something has no place here; take over the rest with --partial"}`;
  print({ json, value: { cases: cases.length, notes, written: isWritten ? to : null }, lines: [...notes.map(lineOf), end] });
  if (!isWritten) process.exitCode = 1;
}

/** Writes the eval cases of one capability for another program, and lists what it will not check. */
export async function evalExport(
  capability: string,
  { format, project, to, json }: { format: ExchangeFormat; project: string; to: string; json?: true },
): Promise<void> {
  const cases = await casesOf(project, capability);
  const { text, notes }: Exported =
    format === "promptfoo" ? writePromptfoo(cases, capability) : writeLangfuse(cases, { form: formOf(to), dataset: capability });
  await writeWhole(to, text, { mayReplace: true });
  print({
    json,
    value: { cases: cases.length, notes, written: to },
    lines: [...notes.map(lineOf), `${cases.length} eval cases are in ${to}`],
  });
}

/** Writes the scores of a run, from its JSON report, for Langfuse. */
export async function evalScores(report: string, { to, json }: { to: string; json?: true }): Promise<void> {
  const { run } = await readReport(report);
  const { text, notes } = writeLangfuseScores(run);
  await writeWhole(to, text, { mayReplace: true });
  print({ json, value: { run: run.id, notes, written: to }, lines: [...notes.map(lineOf), `written: ${to}`] });
}

async function casesOf(project: string, capability: string): Promise<readonly EvalCase[]> {
  const files = (await readEvalCases(join(project, "evals"))).filter((file) => file.capability === capability);
  const [fault] = files.flatMap(({ faults }) => faults);
  if (fault !== undefined) {
    throw new CountersignError(
      "definition_invalid",
      `\`evals/${fault.file}\`, ${fault.at || "the file"}: expected ${fault.expected}`,
    );
  }
  if (files.length === 0)
    throw new CountersignError("not_found", `there is no file of eval cases for \`${capability.slice(0, 63)}\` in \`evals\``);
  return files.flatMap(({ cases }) => cases);
}

function formOf(path: string): "json" | "csv" {
  const form = { ".json": "json", ".csv": "csv" }[extname(path).toLowerCase()];
  if (form === "json" || form === "csv") return form;
  throw new CountersignError("bad_request", `\`${path.slice(0, 200)}\` is no name of a Langfuse file; it ends in .json or .csv`);
}

function lineOf({ at, what, fate, why }: ExchangeNote): string {
  return oneLine(`${fate === "left_out" ? "left out" : "changed"}: ${at} (${what}): ${why}`);
}
