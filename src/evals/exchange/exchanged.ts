/**
 * Eval cases from and for other programs. What maps is mapped; what does not is named with where it stood, so that nothing is lost without
 * somebody's knowing. Files are a stranger's: plain data, bounded, never run.
 */
import { CountersignError } from "../../contract/errors.ts";
import { type EvalCase, evalCase, evalLimits } from "../case-file.ts";
import { readPlainJson, readPlainYaml } from "../plain-yaml.ts";

/** One thing that was not taken over as it stood. */
export interface ExchangeNote {
  /** Where it stands in the file, such as `tests/3/assert/1`. */
  readonly at: string;
  /** Its name there, such as `similar`. */
  readonly what: string;
  /** Whether it is missing now, or says something a little different. */
  readonly fate: "left_out" | "changed";
  readonly why: string;
}

/** A note that something is missing now. */
export function leftOut(at: string, what: string, why: string): ExchangeNote {
  return { at, what: what.slice(0, 100), fate: "left_out", why };
}

/** What came of reading a file of another program. */
export interface Imported {
  readonly cases: readonly EvalCase[];
  readonly notes: readonly ExchangeNote[];
}

/** What is written for another program. */
export interface Exported {
  readonly text: string;
  readonly notes: readonly ExchangeNote[];
}

/** What cases get that their file does not say. */
export interface CaseDefaults {
  readonly principal: string;
  readonly roles: readonly string[];
  readonly slice: string;
}

/** The value of a file. Throws `bad_request` for one that is no plain data, and says where. */
export function plainFile(text: string, form: "yaml" | "json"): unknown {
  const read = form === "yaml" ? readPlainYaml(text) : readPlainJson(text);
  if (read.kind === "value") return read.value;
  const at = read.at === "" ? "" : ` at \`${read.at.slice(0, 200)}\``;
  throw new CountersignError("bad_request", `the file cannot be taken over${at}: expected ${read.expected}`);
}

/** Throws `bad_request` for more than a file of cases may hold. */
export function refuseTooMany(count: number): void {
  if (count <= evalLimits.cases) return;
  throw new CountersignError("bad_request", `the file holds ${count} cases; expected at most ${evalLimits.cases}`);
}

/** A case that holds to the form of ours, or a note that says why it does not. */
export function caseOrNote(value: unknown, { at, what }: { at: string; what: string }): EvalCase | ExchangeNote {
  const read = evalCase.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : `\`${issue.path.map(String).join("/")}\` `;
  return { at, what, fate: "left_out", why: `it makes no eval case: ${place}${issue?.message ?? "is missing"}` };
}

/** Says which of the two it is. */
function isNote(one: EvalCase | ExchangeNote): one is ExchangeNote {
  return "fate" in one;
}

/** One case of a file of others, or why it is none. */
export interface ReadCase {
  readonly one: EvalCase | ExchangeNote;
  /** Where it stands in the file, such as `tests/3`. */
  readonly at: string;
  /** Its id stands in the file; else it was made from words that others may begin with too. */
  readonly hasOwnId: boolean;
}

/**
 * Joins cases and notes. A second case of one id that stands in the file is left out, with its place; an id that was made here, and is one
 * of another case too, is numbered, so that no case is lost over its name.
 */
export function importedOf(read: readonly ReadCase[], notes: readonly ExchangeNote[]): Imported {
  const taken = new Set(read.flatMap(({ one, hasOwnId }) => (hasOwnId && !isNote(one) ? [one.id] : [])));
  const seen = new Set<string>();
  const cases: EvalCase[] = [];
  const further: ExchangeNote[] = [];
  for (const { one, at, hasOwnId } of read) {
    if (isNote(one)) further.push(one);
    else if (!hasOwnId) {
      const id = freeId(one.id, taken);
      taken.add(id);
      cases.push({ ...one, id });
      if (id !== one.id)
        further.push({ at, what: one.id, fate: "changed", why: `another case has this id; it is \`${id}\` here` });
    } else if (seen.has(one.id))
      further.push({ at, what: one.id, fate: "left_out", why: "another case of the file has this id" });
    else {
      seen.add(one.id);
      cases.push(one);
    }
  }
  return { cases, notes: [...notes, ...further] };
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  let free = id;
  for (let number = 2; taken.has(free); number += 1) free = `${id}-${number}`;
  return free;
}

/** An id of a case from words of a stranger's; its place where they hold no letter of ours. */
export function idFrom(words: unknown, place: number): string {
  const slug =
    typeof words === "string"
      ? words
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, "-")
          .replace(/^-+|-+$/g, "")
          .slice(0, 56)
      : "";
  return slug === "" ? `imported-${place + 1}` : slug.replace(/-+$/, "");
}

/** A plain object, or `null`. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null; // plain by `plainFile`
}
