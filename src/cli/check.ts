import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import type { Project } from "../define/project.ts";
import { loadEntry } from "./load.ts";
import { print } from "./print.ts";

/** What is missing or wrong; an `error` makes the command fail, a `hint` does not. */
interface Finding {
  readonly level: "error" | "hint";
  readonly message: string;
}

/** Checks a project: its definitions load and keep their rules, and none of its halves reaches another. */
export async function check({ project: folder, json }: { project: string; json?: true }): Promise<void> {
  const project = await loadEntry<Project>(folder, "project");
  const findings = [...(await mixedHalves(resolve(folder))), ...project.capabilities.flatMap((capability) => hintsFor(capability))];
  const errors = findings.filter((finding) => finding.level === "error");
  const value = { project: project.name, capabilities: project.capabilities.map((one) => `${one.name} ${one.version}`), findings };
  const lines = [
    `${project.name}: ${project.capabilities.length} capabilities, ${project.effects.length} effects`,
    ...findings.map((finding) => `${finding.level}: ${finding.message}`),
    errors.length === 0 ? "the halves stay apart" : "",
  ].filter((line) => line !== "");
  print({ json, value, lines });
  if (errors.length > 0) process.exitCode = 1;
}

function hintsFor(capability: Project["capabilities"][number]): Finding[] {
  const named = `capability \`${capability.name}\``;
  const hint = (message: string): Finding => ({ level: "hint", message: `${named} ${message}` });
  return [
    ...(capability.openTo.length === 0 ? [hint("is open to nobody: `openTo` is empty")] : []),
    ...(capability.checks.length === 0 ? [hint("has no checks of its own")] : []),
    ...(capability.deciding.kind === "prompt" && capability.judge === null && capability.effects.length > 0
      ? [hint("has effects and no judge")]
      : []),
  ];
}

/** From `project.ts` no path to the other two, from `decide.ts` none to `hands.ts`, and the reverse. */
const forbidden = [
  { from: "project", to: ["decide", "hands", "sandbox"] },
  { from: "decide", to: ["hands", "sandbox"] },
  { from: "hands", to: ["decide", "sandbox"] },
] as const;

async function mixedHalves(folder: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { from, to } of forbidden) {
    const reached = await reachableFrom(join(folder, `${from}.ts`));
    for (const file of reached) {
      const half = to.find((name) => file === join(folder, `${name}.ts`) || file.endsWith(`/${name}.ts`));
      if (half !== undefined) findings.push({ level: "error", message: `\`${from}.ts\` reaches \`${relative(folder, file)}\`; keep the halves apart` });
    }
  }
  return findings;
}

/** Import, export-from and dynamic import, with a literal name. */
const importPattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"'\n]+)["']/g;

/** Every file that a file's relative imports reach, read as text: types count, since a type import is one edit from a real one. */
async function reachableFrom(entry: string): Promise<ReadonlySet<string>> {
  if (!existsSync(entry)) throw new CountersignError("configuration_invalid", `\`${entry}\` is missing; a project has project.ts, decide.ts and hands.ts`);
  const seen = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const text = await readFile(file, "utf8");
    for (const [, name = ""] of text.matchAll(importPattern)) {
      const path = join(dirname(file), name);
      if (!name.startsWith(".") || seen.has(path) || !existsSync(path)) continue;
      seen.add(path);
      waiting.push(path);
    }
  }
  return seen;
}
