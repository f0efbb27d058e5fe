import { join, resolve } from "node:path";
import { isCountersignError } from "../contract/errors.ts";
import type { EvalRun } from "../evals/eval-run.ts";
import type { GateResult } from "../evals/gate/finding.ts";
import { type GateFile, readGate } from "../evals/gate/gate-file.ts";
import { judgeGate } from "../evals/gate/judge-gate.ts";
import { keepRun } from "../evals/keep-run.ts";
import { gateFile } from "../evals/read-cases.ts";
import { jsonReport } from "../evals/reports/json-report.ts";
import { reportMaker } from "../evals/reports/report-file.ts";
import { terminalReport } from "../evals/reports/terminal-report.ts";
import type { Progress } from "../evals/run-set.ts";
import { wholeOf } from "./amounts.ts";
import { withRoleUrl } from "./embedded-url.ts";
import { readReport } from "./eval-report.ts";
import { readJudgeTrust } from "./judge-trust.ts";
import { print } from "./print.ts";
import { runEvals, selectedCases } from "./run-evals.ts";
import { writeWhole } from "./write-whole.ts";

/** The options of `eval run`, as they are given. */
export interface EvalRunOptions {
  readonly project: string;
  readonly directory: string;
  readonly capability?: readonly string[];
  readonly case?: readonly string[];
  readonly repeats?: string;
  readonly parallel: string;
  readonly judgeCost?: string;
  readonly gate?: string;
  readonly baseline?: string;
  readonly pin?: string;
  readonly report?: readonly string[];
  readonly resume?: true;
  readonly json?: true;
}

/** A million of a currency's units; nobody means more. */
const mostMicros = 1_000_000_000_000;

/**
 * Plays eval cases, holds what came of them against the gate, writes reports and keeps the run in the installation, where there is one.
 * Exit code 1 where the gate is not passed. Throws what `runEvals` throws, and for a gate or a baseline that cannot be read.
 */
export async function evalRun(options: EvalRunOptions): Promise<void> {
  const { project, directory, json } = options;
  // Whatever is wrong with what was asked for is said before anything is played.
  const reports = (options.report ?? []).map((path) => ({ path, make: reportMaker(path) }));
  const gate = await readGate(options.gate ?? join(project, "evals", gateFile));
  const baseline = options.baseline === undefined ? null : (await readReport(options.baseline)).run;
  const chosen = { capabilities: options.capability, cases: options.case };
  const isSelection = chosen.capabilities !== undefined || chosen.cases !== undefined;
  const run = await runEvals({
    ...{ project, directory, ...chosen, passRate: gate.pass_rate, resume: options.resume === true },
    repeats: options.repeats === undefined ? gate.repeats : wholeOf("--repeats", options.repeats, 100),
    parallel: wholeOf("--parallel", options.parallel, 64),
    ...(options.judgeCost === undefined ? {} : { judgeCostMicros: wholeOf("--judge-cost", options.judgeCost, mostMicros) }),
    onProgress: json === true ? () => {} : tellProgress,
  });
  const judged = await judge(options, { run, gate, baseline, isSelection });
  for (const { path, make } of reports) await writeWhole(path, make({ run, gate: judged, baseline }), { mayReplace: true });
  await pin(options.pin, { run, judged });
  const isKept = await keep(directory, { run, gate: judged, isSelection });
  print({ json, value: { run, gate: judged, isKept }, lines: terminalReport(run, judged) });
  process.exitCode = judged.passed ? 0 : 1;
}

async function judge(
  { project, ...options }: EvalRunOptions,
  { run, gate, ...rest }: { run: EvalRun; gate: GateFile; baseline: EvalRun | null; isSelection: boolean },
): Promise<GateResult> {
  const set = await selectedCases({ project, capabilities: options.capability, cases: options.case });
  return judgeGate({ run, gate, set, ...rest, judges: await readJudgeTrust(project) });
}

/** A run that did not pass is nothing to hold later ones against. */
async function pin(path: string | undefined, { run, judged }: { run: EvalRun; judged: GateResult }): Promise<void> {
  if (path === undefined) return;
  if (judged.passed) await writeWhole(path, `${JSON.stringify(jsonReport(run, judged))}\n`, { mayReplace: true });
  else console.error(`\`${path}\` is left as it is, since the gate was not passed`);
}

/** Keeps the run where the console reads it; `false` where nothing is installed, so that a build needs no installation. */
async function keep(directory: string, kept: Omit<Parameters<typeof keepRun>[0], "url">): Promise<boolean> {
  try {
    await withRoleUrl({ directory: resolve(directory), role: "acting" }, (url) => keepRun({ url, ...kept }));
    return true;
  } catch (thrown) {
    if (isCountersignError(thrown, "configuration_invalid")) return false;
    throw thrown;
  }
}

/** One line that is written over where a person looks on, and nothing elsewhere but each tenth. */
function tellProgress({ done, of, failed, caseId, passed }: Progress): void {
  const line = `${done} of ${of} repeats, ${failed} failed; ${caseId} ${passed ? "passed" : "failed"}`;
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}${done === of ? "\n" : ""}`);
  else if (done === of || done % Math.max(1, Math.floor(of / 10)) === 0) console.error(line);
}
