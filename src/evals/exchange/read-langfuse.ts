import { parse } from "csv-parse/sync";
import { CountersignError } from "../../contract/errors.ts";
import { fileLimits } from "../plain-yaml.ts";
import { metadataNotes, readRest, withDefaults } from "./case-rest.ts";
import {
  type CaseDefaults,
  caseOrNote,
  type ExchangeNote,
  type Imported,
  idFrom,
  importedOf,
  leftOut,
  objectOf,
  plainFile,
  type ReadCase,
  refuseTooMany,
} from "./exchanged.ts";

/**
 * Reads the items of a Langfuse dataset as eval cases, from JSON (a list, or a page of the API with `data`) or CSV (a column for each
 * member, in either spelling). An expected output is what we wrote there, or a text that the answer must hold. Throws `bad_request` for a
 * file that is no plain data or holds no items.
 */
export function readLangfuse(text: string, { form, defaults }: { form: "json" | "csv"; defaults: CaseDefaults }): Imported {
  const items = form === "json" ? jsonItems(text) : csvItems(text);
  refuseTooMany(items.length);
  const read = items.map((item, place) => readItem(item, { at: `items/${place}`, place, defaults }));
  return importedOf(
    read,
    read.flatMap(({ notes }) => notes),
  );
}

function jsonItems(text: string): readonly unknown[] {
  const value = plainFile(text, "json");
  const items = Array.isArray(value) ? value : objectOf(value)?.["data"];
  if (Array.isArray(items)) return items;
  throw new CountersignError(
    "bad_request",
    "the file holds no dataset items: expected a list, or an object with the list `data`",
  );
}

/** Cells that hold JSON are read as such, under the same bounds as a file; others are texts. */
function csvItems(text: string): readonly unknown[] {
  if (Buffer.byteLength(text) > fileLimits.bytes)
    throw new CountersignError("bad_request", `the file is larger than ${fileLimits.bytes} bytes`);
  let rows: readonly Record<string, string>[];
  try {
    rows = parse(text, { columns: true, bom: true, skip_empty_lines: true }) as Record<string, string>[]; // by `columns`
  } catch (cause) {
    throw new CountersignError(
      "bad_request",
      "the file is no CSV: a header, then one row for each item, each as long as the header",
      { cause },
    );
  }
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cellValue(cell)])));
}

function cellValue(cell: string): unknown {
  const trimmed = cell.trim();
  if (trimmed === "") return undefined;
  return isJson(trimmed) ? plainFile(trimmed, "json") : cell;
}

/** A text that people wrote may begin like JSON, and a number or a word alone is a text. */
function isJson(cell: string): boolean {
  if (!/^(?:[{["]|null$)/.test(cell)) return false;
  try {
    JSON.parse(cell);
    return true;
  } catch {
    return false;
  }
}

/** Members of an item that say nothing of what is asked or expected. */
const aside = [
  "datasetId",
  "datasetName",
  "projectId",
  "createdAt",
  "updatedAt",
  "validFrom",
  "status",
  "sourceObservationId",
  "id",
];
const taken = ["input", "expectedOutput", "metadata", "sourceTraceId"];

function readItem(
  value: unknown,
  { at, place, defaults }: { at: string; place: number; defaults: CaseDefaults },
): ReadCase & { readonly notes: readonly ExchangeNote[] } {
  const item = withApiNames(objectOf(value));
  if (item === null) return { one: leftOut(at, "item", "it is no object"), at, hasOwnId: false, notes: [] };
  const what = typeof item["id"] === "string" ? item["id"] : `item ${place + 1}`;
  if (item["status"] === "ARCHIVED") return { one: leftOut(at, what, "it is archived"), at, hasOwnId: false, notes: [] };
  const { expectations: _none, ...rest } = readRest(item["metadata"]);
  const expected = expectedOf(item["expectedOutput"], at);
  const trace = item["sourceTraceId"];
  const source = typeof trace === "string" ? `langfuse trace ${trace}` : `langfuse: ${what}`;
  const base = withDefaults(rest, { defaults, id: idFrom(item["id"], place), source });
  const one = caseOrNote(
    {
      ...base,
      request: Object.keys(rest).length > 0 ? item["input"] : requestOf(item["input"]),
      expectations: expected.expectations,
    },
    { at, what },
  );
  return {
    one,
    at,
    hasOwnId: rest["id"] !== undefined,
    notes: [...expected.notes, ...strayNotes(item, at), ...metadataNotes(item["metadata"], `${at}/metadata`)],
  };
}

/** The API writes `expectedOutput`, exports of tables `expected_output`. */
function withApiNames(item: Readonly<Record<string, unknown>> | null): Readonly<Record<string, unknown>> | null {
  if (item === null) return null;
  const camel = (name: string): string => name.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
  const entries = Object.entries(item).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [camel(name), value]));
}

/** Others name what was asked by a name of theirs; what we wrote is taken as it stands. */
function requestOf(input: unknown): unknown {
  const members = objectOf(input);
  const [only = "", ...others] = Object.keys(members ?? {});
  return others.length === 0 && typeof members?.[only] === "string" ? members[only] : input;
}

function expectedOf(value: unknown, at: string): { readonly expectations: object; readonly notes: readonly ExchangeNote[] } {
  if (typeof value === "string") {
    const why = "it is taken for a statement that the answer must hold, without regard to case";
    const notes: ExchangeNote[] = [{ at: `${at}/expectedOutput`, what: "expectedOutput", fate: "changed", why }];
    return { expectations: { statements: { required: [value] } }, notes };
  }
  return { expectations: objectOf(value) ?? {}, notes: [] };
}

function strayNotes(item: object, at: string): readonly ExchangeNote[] {
  return Object.keys(item)
    .filter((name) => !taken.includes(name) && !aside.includes(name))
    .map((name) => leftOut(`${at}/${name}`, name, "nothing of ours says the same"));
}
