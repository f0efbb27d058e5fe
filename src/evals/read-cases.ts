import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { type EvalCase, evalCase, evalLimits } from "./case-file.ts";
import { fileLimits, readPlainJson, readPlainYaml } from "./plain-yaml.ts";

/** What stands in one file of eval cases. The file is named after its capability. */
export interface EvalFile {
  /** Its name within the folder. */
  readonly file: string;
  readonly capability: string;
  readonly cases: readonly EvalCase[];
  readonly faults: readonly EvalFault[];
}

/** What is wrong in a file: where, and what was expected there. */
export interface EvalFault {
  readonly file: string;
  /** `line 12`, or a JSON pointer such as `/3/expectations/route`; empty for the whole file. */
  readonly at: string;
  readonly expected: string;
}

/**
 * Reads every file of eval cases in a folder, `<capability>.yaml`, `.yml` or `.jsonl`; none where there is no folder. Faults are
 * values, so that all of them are told at once; a case with a fault is not among the cases.
 */
export async function readEvalCases(folder: string): Promise<readonly EvalFile[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() || isBeside(entry.name) ? [] : [entry.name])).sort();
  const files = await Promise.all(names.map((name) => readEvalFile(folder, name)));
  return withoutDoubles(files);
}

/** The gate's file, remarks and hidden files stand beside the cases. */
function isBeside(name: string): boolean {
  return name.startsWith(".") || extname(name) === ".md" || name === gateFile;
}

/** The file of a project's `evals` that says what is demanded of a run. */
export const gateFile = "gate.yaml";

interface Row {
  readonly at: string;
  readonly value: unknown;
}
type Rows = { readonly rows: readonly Row[]; readonly faults: readonly Omit<EvalFault, "file">[] };

const readers: Readonly<Record<string, (text: string) => Rows>> = { ".yaml": yamlRows, ".yml": yamlRows, ".jsonl": jsonRows };

async function readEvalFile(folder: string, name: string): Promise<EvalFile> {
  const capability = basename(name, extname(name));
  const { rows, faults } = await rowsOf(join(folder, name));
  const read = rows.map(({ at, value }) => ({ at, parsed: evalCase.safeParse(value) }));
  const misfits = read.flatMap(({ at, parsed }) =>
    parsed.success ? [] : parsed.error.issues.map(({ path, message }) => ({ at: [at, ...path].join("/"), expected: message })),
  );
  return {
    file: name,
    capability,
    cases: read.flatMap(({ parsed }) => (parsed.success ? [parsed.data] : [])),
    faults: [...faults, ...misfits].map((fault) => ({ file: name, ...fault })),
  };
}

async function rowsOf(path: string): Promise<Rows> {
  const read = readers[extname(path)];
  // A file with another ending is somebody's cases that would never run.
  if (read === undefined) return faulty("", `a name that ends in ${Object.keys(readers).join(", ")}`);
  const { size } = await stat(path);
  if (size > fileLimits.bytes) return faulty("", `at most ${fileLimits.bytes} bytes`);
  const { rows, faults } = read(await readFile(path, "utf8"));
  if (rows.length > evalLimits.cases) return faulty("", `at most ${evalLimits.cases} cases`);
  return { rows, faults };
}

/** A list of cases. */
function yamlRows(text: string): Rows {
  const read = readPlainYaml(text);
  if (read.kind === "fault") return faulty(read.at, read.expected);
  if (!Array.isArray(read.value)) return faulty("", "a list of eval cases");
  return { rows: read.value.map((one: unknown, place) => ({ at: `/${place}`, value: one })), faults: [] };
}

/** One case a line. */
function jsonRows(text: string): Rows {
  const read = text.split("\n").flatMap((line, place) => (line.trim() === "" ? [] : [jsonRow(line, `line ${place + 1}`)]));
  return {
    rows: read.flatMap((one) => ("value" in one ? [one] : [])),
    faults: read.flatMap((one) => ("value" in one ? [] : [one])),
  };
}

function jsonRow(line: string, at: string): Row | Omit<EvalFault, "file"> {
  const read = readPlainJson(line);
  return read.kind === "value" ? { at, value: read.value } : { at: `${at}${read.at}`, expected: read.expected };
}

function faulty(at: string, expected: string): Rows {
  return { rows: [], faults: [{ at, expected }] };
}

/** An id names one case of a project, so that a failing one is found. */
function withoutDoubles(files: readonly EvalFile[]): readonly EvalFile[] {
  const seen = new Set<string>();
  return files.map((file) => {
    const doubled = file.cases.filter(({ id }) => seen.size === seen.add(id).size);
    const faults = doubled.map(({ id }) => ({ file: file.file, at: "", expected: `an id of its own for \`${id}\`` }));
    return { ...file, cases: file.cases.filter((one) => !doubled.includes(one)), faults: [...file.faults, ...faults] };
  });
}
