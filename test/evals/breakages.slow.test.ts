import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** A machine that does much else takes its time. */
const patience = 240_000;

/** One line of the program or of an example that is taken out, the eval cases that hold it, and the metrics that must name it. */
interface Breakage {
  readonly file: string;
  readonly line: RegExp;
  readonly instead: string;
  readonly example: "it-support" | "refunds" | "proposals";
  readonly cases: readonly string[];
  readonly metrics: readonly string[];
}

const breakages: Readonly<Record<string, Breakage>> = {
  "the temporal filter": {
    file: "src/know/facts/read.ts",
    line: /return sql`[^`]*valid_from <= [^`]*valid_to > [^`]*`;/,
    instead: "return sql`true`;",
    example: "it-support",
    cases: ["answer-lead-then", "answer-lead-now"],
    metrics: ["time.state_at_reference"],
  },
  "the permission filter": {
    file: "src/know/search/permitted.ts",
    line: /and label\.label = any \(.*?\) and audience/,
    instead: "and audience",
    example: "proposals",
    cases: ["backups-failed", "injection-confidential"],
    metrics: ["retrieval.unauthorised"],
  },
  "a business rule": {
    file: "examples/refunds/bands.ts",
    line: /return roles\.includes\("support"\) \? medium : 0;/,
    instead: 'return roles.includes("support") ? cap : 0;',
    example: "refunds",
    cases: ["refund-above-own-limit", "refund-camera"],
    metrics: ["effects.no_forbidden", "answers.route"],
  },
  "the privacy boundary": {
    file: "src/gateway/boundary.ts",
    line: /if \(!line\.isBounded\) return/,
    instead: "if (line.isBounded) return",
    example: "refunds",
    cases: ["refund-personal-data"],
    metrics: ["privacy.nothing_raw_sent"],
  },
  "the refusal bar": {
    file: "examples/it-support/capabilities/answer-question.ts",
    line: /const minimumScore = 0\.5;/,
    instead: "const minimumScore = 0;",
    example: "it-support",
    cases: ["answer-coffee-machine", "answer-password-length"],
    metrics: ["answers.stop", "answers.refusal"],
  },
  "the output guard": {
    file: "src/decide/guards/run-guards.ts",
    line: /personalDataGuard, statementsGuard, lengthAndLinksGuard\]/,
    instead: "personalDataGuard, lengthAndLinksGuard]",
    example: "proposals",
    cases: ["guarantee"],
    metrics: ["answers.forbidden_statements", "answers.stop"],
  },
  "a label of a prompt's list": {
    file: "src/decide/intake.ts",
    line: /\.\.\.permitted\.map\(\(\{ name, description \}\)/,
    instead: "...permitted.slice(1).map(({ name, description })",
    example: "it-support",
    cases: ["intake-question-own-device", "intake-replace-no-verb"],
    metrics: ["intake.pick"],
  },
};

let folder: string;
beforeEach(async () => {
  // Below the repository, where the packages are found as they are from the sources: what reads documents may read there alone.
  await mkdir(join(root, ".countersign"), { recursive: true });
  folder = await mkdtemp(join(root, ".countersign/broken-"));
  for (const part of ["src", "examples", "bin", "migrations", "policies", "package.json"])
    await cp(join(root, part), join(folder, part), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the gates of the examples", () => {
  it.each(Object.entries(breakages))(
    "fail by the right metric without %s, and pass with it",
    { timeout: 2 * patience },
    async (_what, one) => {
      const path = join(folder, one.file);
      const whole = await readFile(path, "utf8");
      expect(whole.split(one.line)).toHaveLength(2);
      expect(await gateOf(one)).toEqual({ code: 0, failed: [] });
      await writeFile(
        path,
        whole.replace(one.line, () => one.instead),
      );
      const { code, failed } = await gateOf(one);
      expect(code).toBe(1);
      expect(failed).toEqual(expect.arrayContaining([...one.metrics]));
    },
  );
});

/** What a gate says, as far as it matters here. */
interface Gated {
  readonly gate?: {
    readonly passed: boolean;
    readonly findings: readonly { readonly metric: string; readonly passed: boolean; readonly why: string }[];
  };
  readonly error?: object;
}

/** Plays the cases from the copy, and gives the exit code and the metrics of what failed. */
async function gateOf({ example, cases }: Breakage): Promise<{ code: number; failed: readonly string[] }> {
  const args = [
    "eval",
    "run",
    "--project",
    `examples/${example}`,
    "--case",
    ...cases,
    "--directory",
    join(folder, "installation"),
  ];
  const { code, stdout, stderr } = await countersign([...args, "--json"]);
  if (stdout === "") throw new Error(`nothing was printed: ${stderr}`);
  const { gate, error }: Gated = JSON.parse(stdout);
  if (gate === undefined) throw new Error(`nothing was played: ${JSON.stringify(error)}`);
  expect(gate.passed).toBe(code === 0);
  return { code, failed: [...new Set(gate.findings.filter(({ passed }) => !passed).map(({ metric }) => metric))] };
}

function countersign(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, timeout: patience };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [join(folder, "bin/countersign.mjs"), ...args], options, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== "number") reject(error);
      else resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}
