import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { CountersignError } from "../contract/errors.ts";

/** From `project.ts` no path to the others, from `decide.ts` none to `hands.ts`, and the reverse; from `ingest.ts` to neither. */
const forbidden = [
  { from: "project", to: ["decide", "hands", "ingest", "sandbox"] },
  { from: "decide", to: ["hands", "sandbox"] },
  { from: "hands", to: ["decide", "ingest", "sandbox"] },
  { from: "ingest", to: ["decide", "hands", "sandbox"] },
] as const;

/** Every way in which one half of a project reaches another, as a sentence; reads the files as text and runs none. */
export async function mixedHalves(folder: string): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const { from, to } of forbidden) {
    if (from === "ingest" && !existsSync(join(folder, `${from}.ts`))) continue;
    const reached = await reachableFrom(join(folder, `${from}.ts`));
    for (const [file, by] of reached) {
      const isOther = to.some((name) => file === join(folder, `${name}.ts`) || file.endsWith(`/${name}.ts`));
      if (!isOther) continue;
      const through = by === join(folder, `${from}.ts`) ? "" : ` through \`${relative(folder, by)}\``;
      findings.push(`\`${from}.ts\` reaches \`${relative(folder, file)}\`${through}; keep the halves apart`);
    }
  }
  return findings;
}

/** Import, export-from and dynamic import, with a literal name. */
const importPattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'`]([^"'`\n]+)["'`]/g;

/** Every file that a file's relative imports reach, with the one that imports it. Types count: a type import is one edit from a real one. */
async function reachableFrom(entry: string): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(entry))
    throw new CountersignError(
      "configuration_invalid",
      `\`${entry}\` is missing; a project has project.ts, decide.ts and hands.ts`,
    );
  const seen = new Map<string, string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const text = await readFile(file, "utf8");
    for (const [, name = ""] of text.matchAll(importPattern)) {
      const path = join(dirname(file), name);
      if (!name.startsWith(".") || path === entry || seen.has(path) || !existsSync(path)) continue;
      seen.set(path, file);
      waiting.push(path);
    }
  }
  return seen;
}
