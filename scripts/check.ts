// `npm run check`: types, lint, import rules and dead code, side by side. Prints the output of what failed, and a time for each part.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { performance } from "node:perf_hooks";

type Part = { readonly name: string; readonly command: string; readonly args: readonly string[] };
type Outcome = { readonly name: string; readonly code: number; readonly ms: number; readonly output: string };

const cruised = ["src", "test", "examples", "console"].filter((folder) => existsSync(folder));

// Heaviest first: two run at a time, and the compiler and the linter use threads of their own.
const parts: readonly Part[] = [
  { name: "dead code", command: "knip", args: ["--no-progress", "--no-config-hints"] },
  { name: "import rules", command: "depcruise", args: ["--config", ".dependency-cruiser.cjs", "--progress", "none", ...cruised] },
  { name: "types", command: "tsc", args: ["-p", "tsconfig.json", "--pretty", "false"] },
  { name: "types of the console", command: "tsc", args: ["-p", "console/tsconfig.json", "--pretty", "false"] },
  { name: "types of the pure folders", command: "tsc", args: ["-p", "tsconfig.pure.json", "--pretty", "false"] },
  { name: "lint", command: "biome", args: ["check", "--max-diagnostics=50", "."] },
];

// dependency-cruiser says that it knows no TypeScript 7. It reads through swc; `test/imports` asserts that it reads everything.
const warning = /^‼ missing-tsc-transpiler:[\s\S]*?stable[.]$/m;

const outcomes = await runAll(parts, 2);
for (const { name, code, ms, output } of outcomes) {
  if (code !== 0) process.stdout.write(`\n--- ${name} ---\n${output.trim()}\n`);
  process.stdout.write(`${code === 0 ? "ok  " : "FAIL"} ${name} ${(ms / 1000).toFixed(1)} s\n`);
}
process.exitCode = outcomes.every(({ code }) => code === 0) ? 0 : 1;

async function runAll(waiting: readonly Part[], atOnce: number): Promise<readonly Outcome[]> {
  const queue = [...waiting];
  const done: Outcome[] = [];
  const lane = async () => {
    for (let part = queue.shift(); part; part = queue.shift()) done.push(await run(part));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return done;
}

async function run({ name, command, args }: Part): Promise<Outcome> {
  const start = performance.now();
  const child = spawn(`node_modules/.bin/${command}`, args, { stdio: ["ignore", "pipe", "pipe"] });
  const { code, output } = await finished(child);
  const empty = name === "import rules" && code === 0 ? complainIfNothingWasRead(output) : null;
  return { name, code: empty ? 1 : code, ms: performance.now() - start, output: empty ?? output.replace(warning, "") };
}

// Without a parser that reads TypeScript the import rules pass over nothing, with exit code 0.
function complainIfNothingWasRead(output: string): string | null {
  const read = Number(/\((\d+) modules/.exec(output)?.[1] ?? 0);
  const files = globSync("src/**/*.ts").length;
  return read < files ? `read ${read} modules although src has ${files} files\n${output}` : null;
}

function finished(child: ChildProcess): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    let output = "";
    const keep = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    child.on("error", (error) => resolve({ code: 1, output: `${output}${error.message}` }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
