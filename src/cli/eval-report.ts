import { type EvalReport, readJsonReport } from "../evals/reports/json-report.ts";
import { reportMaker } from "../evals/reports/report-file.ts";
import { terminalReport } from "../evals/reports/terminal-report.ts";
import { print } from "./print.ts";
import { readText } from "./read-text.ts";
import { writeWhole } from "./write-whole.ts";

/** Largest JSON report that is read, in bytes: traces of every repeat stand in it. */
const mostBytes = 256 * 1024 * 1024;

/** Reads a JSON report. Throws `bad_request` for a file that is none. */
export async function readReport(path: string): Promise<EvalReport> {
  return readJsonReport(await readText(path, mostBytes));
}

/** Makes further reports of a run from its JSON report, with a second run to compare with where one is given; nothing is run. */
export async function evalReport(
  path: string,
  { to = [], baseline, json }: { to?: readonly string[]; baseline?: string; json?: true },
): Promise<void> {
  const makers = to.map((file) => ({ file, make: reportMaker(file) }));
  const { run, gate, figures } = await readReport(path);
  const before = baseline === undefined ? null : (await readReport(baseline)).run;
  for (const { file, make } of makers) await writeWhole(file, make({ run, gate, baseline: before }), { mayReplace: true });
  const width = process.stdout.columns ?? 100;
  const lines = [...terminalReport(run, gate, { width, colours: process.stdout.isTTY }), ...to.map((file) => `written: ${file}`)];
  print({ json, value: { run: run.id, figures, gate, written: to }, lines });
}
