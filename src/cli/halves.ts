import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import { type EntryFile, entryPath } from "./entry-path.ts";

/** From `project.ts` no path to the others, from `decide.ts` none to `hands.ts`, and the reverse; from `ingest.ts` to neither. */
const forbidden: readonly { readonly from: EntryFile; readonly to: readonly EntryFile[] }[] = [
  { from: "project", to: ["decide", "hands", "ingest", "sandbox"] },
  { from: "decide", to: ["hands", "sandbox"] },
  { from: "hands", to: ["decide", "ingest", "sandbox"] },
  { from: "ingest", to: ["decide", "hands", "sandbox"] },
];

/** Every way in which one half of a project reaches another, as a sentence; reads the files as text and runs none. */
export async function mixedHalves(folder: string): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const { from, to } of forbidden) {
    const entry = entryPath(folder, from);
    if (from === "ingest" && entry === undefined) continue;
    if (entry === undefined) throw missing(folder, from);
    const reached = await reachableFrom(entry);
    for (const [file, by] of reached) {
      const isOther = to.some((name) => basename(file, extname(file)) === name);
      if (!isOther) continue;
      const through = by === entry ? "" : ` through \`${relative(folder, by)}\``;
      findings.push(`\`${from}.ts\` reaches \`${relative(folder, file)}\`${through}; keep the halves apart`);
    }
  }
  return findings;
}

function missing(folder: string, file: EntryFile): CountersignError {
  const path = join(folder, `${file}.ts`);
  return new CountersignError(
    "configuration_invalid",
    `\`${path}\` is missing; a project has project.ts, decide.ts and hands.ts`,
  );
}

/** Import, export-from and dynamic import, with a literal name. */
const importPattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'`]([^"'`\n]+)["'`]/g;

/** Every file that a file's relative imports reach, with the one that imports it. Types count: a type import is one edit from a real one. */
async function reachableFrom(entry: string): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const text = await readFile(file, "utf8");
    for (const [, name = ""] of text.matchAll(importPattern)) {
      for (const path of await filesOf(name, file, dirname(entry))) {
        if (path === entry || seen.has(path)) continue;
        seen.set(path, file);
        waiting.push(path);
      }
    }
  }
  return seen;
}

/** The files of the project that an import may lead to; none where it leads to a package. Names of package.json's own `imports` count. */
async function filesOf(name: string, from: string, folder: string): Promise<readonly string[]> {
  const places = name.startsWith("#") ? await ownImport(name, dirname(from)) : placesOf(name, from, folder);
  return places.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

function placesOf(name: string, from: string, folder: string): readonly string[] {
  if (name.startsWith(".")) return [resolve(dirname(from), name)];
  const path = name.startsWith("file:") && URL.canParse(name) ? fileURLToPath(name) : name;
  // By its whole path a file counts where it is the project's own.
  return path.startsWith(`${folder}/`) ? [path] : [];
}

const manifestForm = z.looseObject({ imports: z.record(z.string(), z.unknown()).default({}) });

/** Where the nearest package.json leads such a name, under whatever condition; a key with `*` stands for what is in its place. */
async function ownImport(name: string, folder: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => null);
  if (text === null) return dirname(folder) === folder ? [] : ownImport(name, dirname(folder));
  const { imports } = manifestForm.parse(JSON.parse(text));
  return Object.entries(imports).flatMap(([key, target]) => {
    const [before = "", after] = key.split("*");
    const isMeant = after === undefined ? key === name : name.startsWith(before) && name.endsWith(after);
    if (!isMeant) return [];
    const star = after === undefined ? "" : name.slice(before.length, name.length - after.length);
    const targets = [...JSON.stringify(target).matchAll(/"([.][^"]*)"/g)];
    return targets.map(([, path = ""]) => join(folder, path.replaceAll("*", star)));
  });
}
