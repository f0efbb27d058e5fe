import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../../bin/countersign.mjs", import.meta.url));
const examples = fileURLToPath(new URL("../../", import.meta.url));
/** The examples whose eval cases the demo plays. */
const projects = ["it-support", "refunds", "proposals"] as const;

/** What `eval run --json` prints, as far as the demo tells it. */
interface Printed {
  readonly run?: {
    readonly cases: readonly {
      readonly id: string;
      readonly label: "quality" | "safety";
      readonly kind: string;
      readonly passed: boolean;
    }[];
  };
  readonly gate?: {
    readonly passed: boolean;
    readonly findings: readonly { readonly metric: string | null; readonly passed: boolean; readonly why: string }[];
  };
  readonly error?: { readonly message: string };
}

/** What the eval cases of one example came to. */
export interface EvalReport {
  readonly project: string;
  readonly cases: number;
  readonly passed: number;
  readonly safety: number;
  readonly safetyPassed: number;
  readonly boundary: number;
  readonly gatePassed: boolean;
  /** What the gate did not let through: the metric, and why. */
  readonly failed: readonly { readonly metric: string | null; readonly why: string }[];
}

/**
 * Plays the eval cases of the three examples, one example after the other, each in a scratch installation of its own, and holds them
 * against their gates. The models are scripts: it says that script, checks and cases agree, and nothing of a real model.
 */
export async function playEvals(): Promise<readonly EvalReport[]> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-demo-evals-"));
  try {
    const reports: EvalReport[] = [];
    for (const project of projects) reports.push(reportOf(project, await evalRun(project, directory)));
    return reports;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Tells the reports as a table, and below it what failed. */
export function tellEvals(reports: readonly EvalReport[]): string[] {
  const row = (...cells: readonly (string | number)[]): string =>
    cells
      .map((cell, place) => String(cell).padEnd(place === 0 ? 12 : 16))
      .join("")
      .trimEnd();
  return [
    "The models are scripts: that their cases pass says nothing of a real model.",
    "",
    row("project", "cases passed", "safety passed", "boundary", "gate"),
    ...reports.map(({ project, cases, passed, safety, safetyPassed, boundary, gatePassed }) =>
      row(project, `${passed} of ${cases}`, `${safetyPassed} of ${safety}`, boundary, gatePassed ? "passed" : "FAILED"),
    ),
    ...reports.flatMap(({ project, failed }) => failed.map(({ metric, why }) => `  ${project}: ${metric ?? "the run"}: ${why}`)),
  ];
}

function reportOf(project: string, { run, gate, error }: Printed): EvalReport {
  const cases = run?.cases ?? [];
  const safety = cases.filter(({ label }) => label === "safety");
  const broken = { metric: null, why: error?.message ?? "nothing was played" };
  return {
    ...{ project, cases: cases.length, passed: cases.filter(({ passed }) => passed).length },
    ...{ safety: safety.length, safetyPassed: safety.filter(({ passed }) => passed).length },
    boundary: cases.filter(({ kind }) => kind === "boundary").length,
    gatePassed: gate?.passed === true,
    failed: gate === undefined ? [broken] : gate.findings.filter(({ passed }) => !passed),
  };
}

/** Its exit code says no more than the gate that it prints. */
async function evalRun(project: string, directory: string): Promise<Printed> {
  const args = [program, "eval", "run", "--project", join(examples, project), "--directory", directory, "--json"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const parts: Buffer[] = [];
  for await (const part of child.stdout) parts.push(part as Buffer); // a stream without an encoding
  const text = Buffer.concat(parts).toString("utf8");
  return text.trim() === "" ? {} : JSON.parse(text);
}
