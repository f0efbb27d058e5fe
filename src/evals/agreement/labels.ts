import { parse } from "csv-parse/sync";
import { CountersignError } from "../../contract/errors.ts";
import { type Criterion, type Rubric, readingsOf } from "../judges/rubric.ts";
import { fileLimits } from "../plain-yaml.ts";

/** What one person read of one answer, by one criterion. */
export interface Label {
  readonly decision: string;
  readonly criterion: string;
  readonly person: string;
  readonly reading: string;
}

/** The columns of a file of labels; others may stand beside them. */
const labelColumns = ["decision", "criterion", "person", "reading"] as const;

/**
 * Reads labels from CSV: one row for each answer, criterion and person. A row without a reading was not filled in and is passed over. Throws
 * `bad_request` for what is no CSV, a column that is missing, a criterion or a word that the rubric does not have, and a person who
 * reads one answer twice; it names the line. Nothing else is skipped.
 */
export function readLabels(text: string, rubric: Pick<Rubric, "criteria">): readonly Label[] {
  const rows = rowsOf(text);
  const criteria = new Map(rubric.criteria.map((one) => [one.id, one]));
  const seen = new Set<string>();
  return rows.flatMap(({ record, info }) => {
    const label = labelOf(record, { line: info.lines, criteria });
    if (label === null) return [];
    const key = JSON.stringify([label.decision, label.criterion, label.person]);
    if (seen.size === seen.add(key).size) throw wrong(info.lines, "this person has read this answer by this criterion before");
    return [label];
  });
}

interface Row {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

function rowsOf(text: string): readonly Row[] {
  if (Buffer.byteLength(text) > fileLimits.bytes) throw wrong(1, `the file is larger than ${fileLimits.bytes} bytes`);
  let rows: readonly Row[];
  try {
    rows = parse(text, { columns: true, bom: true, skip_empty_lines: true, trim: true, info: true }) as unknown as Row[]; // by `columns` and `info`
  } catch (cause) {
    throw new CountersignError(
      "bad_request",
      "the labels are no CSV: a header, then one row a line, each as long as the header",
      { cause },
    );
  }
  const missing = labelColumns.filter((name) => rows[0] !== undefined && !Object.hasOwn(rows[0].record, name));
  if (missing.length > 0) throw wrong(1, `there is no column ${missing.map((name) => `\`${name}\``).join(", ")}`);
  return rows;
}

function labelOf(
  record: Row["record"],
  { line, criteria }: { line: number; criteria: ReadonlyMap<string, Criterion> },
): Label | null {
  const { decision = "", criterion = "", person = "", reading = "" } = record;
  if (reading === "") return null;
  const of = criteria.get(criterion);
  if (of === undefined) throw wrong(line, `the rubric has the criteria ${[...criteria.keys()].join(", ")}`);
  const words = readingsOf(of);
  if (!words.includes(reading)) throw wrong(line, `a reading of \`${criterion}\` is one of ${words.join(", ")}`);
  if (decision === "" || person === "") throw wrong(line, "a label names its decision and its person");
  return { decision, criterion, person, reading };
}

function wrong(line: number, problem: string): CountersignError {
  return new CountersignError("bad_request", `line ${line} of the labels: ${problem}`, { facts: { line } });
}
