import type { FieldUnits } from "../../contract/calculation.ts";
import { CountersignError } from "../../contract/errors.ts";
import { decimalText, type Exact, exactOf, numberOf, plus, through } from "../../contract/exact.ts";
import type { Aggregate } from "../../contract/field-policy.ts";
import { canonicalJson, type Json, type JsonObject } from "../../contract/json.ts";
import type { FieldLabel } from "../../contract/words.ts";
import { changed } from "./faults.ts";
import { textsOf } from "./field-policy.ts";

/** Totals of groups with the group or groups of each subject, and the texts of what they were made of. */
export interface Totals {
  readonly rows: readonly JsonObject[];
  readonly groupsOf: ReadonlyMap<string, readonly string[]>;
  readonly hidden: readonly string[];
}

/**
 * Groups rows and gives the totals of each group. Groups of fewer subjects than the least are folded into one whose fields are empty, with the
 * smallest of the others where it would be too small itself. Throws `group_too_small` where even all of them are too few.
 */
export function totalsOf(query: string, rule: Aggregate, rows: readonly JsonObject[]): Totals {
  const groups = folded(query, rule, groupsBy(rule, rows));
  const groupsOf = new Map<string, string[]>();
  for (const { key, subjects } of groups) {
    for (const subject of subjects) groupsOf.set(subject, [...(groupsOf.get(subject) ?? []), key]);
  }
  // Whose data it is and what was added up; words such as a state are in too many texts to be looked for.
  const fields = [rule.subject, ...Object.values(rule.measures).flatMap((measure) => ("of" in measure ? [measure.of] : []))];
  const hidden = rows.flatMap((row) => fields.flatMap((field) => textsOf(row[field] ?? null)));
  return { rows: groups.map((group) => totalRow(query, rule, group)), groupsOf, hidden };
}

interface Group {
  readonly key: string;
  readonly by: JsonObject;
  readonly rows: readonly JsonObject[];
  readonly subjects: ReadonlySet<string>;
}

function groupsBy({ by, subject }: Aggregate, rows: readonly JsonObject[]): readonly Group[] {
  const groups = new Map<string, JsonObject[]>();
  for (const row of rows) {
    const key = canonicalJson(by.map((field) => row[field] ?? null));
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [row]);
    else known.push(row);
  }
  return [...groups].map(([key, members]) => ({
    ...{ key, rows: members, subjects: subjectsOf(subject, members) },
    by: Object.fromEntries(by.map((field) => [field, members[0]?.[field] ?? null])),
  }));
}

function folded(query: string, { by, minimumGroup }: Aggregate, groups: readonly Group[]): readonly Group[] {
  const ordered = groups.toSorted((a, b) => b.subjects.size - a.subjects.size);
  if (ordered.every(({ subjects }) => subjects.size >= minimumGroup)) return groups;
  // The fold has empty fields, so a group that has them by itself goes into it.
  const isKept = ({ by: fields, subjects }: Group) =>
    subjects.size >= minimumGroup && Object.values(fields).some((value) => value !== null);
  const kept = ordered.filter(isKept);
  let fold = ordered.filter((group) => !isKept(group));
  const subjectsIn = (some: readonly Group[]) => new Set(some.flatMap(({ subjects }) => [...subjects]));
  while (subjectsIn(fold).size < minimumGroup) {
    const smallest = kept.pop();
    if (smallest === undefined) throw tooSmall(query);
    fold = [...fold, smallest];
  }
  const empty = Object.fromEntries(by.map((field) => [field, null]));
  return [...kept, { key: "folded", by: empty, rows: fold.flatMap(({ rows }) => rows), subjects: subjectsIn(fold) }];
}

function subjectsOf(subject: string, rows: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(rows.map((row) => canonicalJson(row[subject] ?? null)));
}

function totalRow(query: string, { measures, minimumGroup, subject }: Aggregate, { by, rows, subjects }: Group): JsonObject {
  const totals = Object.entries(measures).map(([name, measure]): readonly [string, Json] => {
    if (measure.as === "count") return [name, subjects.size];
    const counted = rows.filter((row) => (row[measure.of] ?? null) !== null);
    // What only few of a group have, in however many rows, is told of fewer than the least.
    if (subjectsOf(subject, counted).size < minimumGroup) return [name, null];
    const values = counted.map((row) => row[measure.of] ?? null);
    const isNumber = values.every((value) => typeof value === "number");
    const sum = values.map((value) => exactFrom(value, { query, column: measure.of })).reduce(plus);
    return [
      name,
      jsonOf(measure.as === "sum" ? sum : through(sum, { numerator: BigInt(values.length), denominator: 1n }), isNumber),
    ];
  });
  return { ...by, ...Object.fromEntries(totals) };
}

function exactFrom(value: Json, { query, column }: { query: string; column: string }): Exact {
  const exact = typeof value === "number" || typeof value === "string" ? exactOf(value) : undefined;
  if (exact === undefined) throw changed(query, { column, how: "holds something that cannot be added up" });
  return exact;
}

/** A number for numbers, decimal digits for decimal digits; a mean is rounded to six behind the point. */
function jsonOf(value: Exact | undefined, isNumber: boolean): Json {
  if (value === undefined) return null;
  const text = decimalText(value) ?? decimalText(value, 6) ?? null;
  return isNumber ? (numberOf(value) ?? text) : text;
}

/** The labels of totals: who can write a row can steer its group's totals. */
export function totalLabels(
  { by, measures, subject }: Aggregate,
  labels: { readonly [field: string]: FieldLabel },
): { readonly [field: string]: FieldLabel } {
  const labelOf = (field: string): FieldLabel => (Object.hasOwn(labels, field) ? labels[field] : undefined) ?? "third";
  const shared = [...by, subject].map(labelOf);
  const totals = Object.entries(measures).map(([name, measure]): readonly [string, FieldLabel] => [
    name,
    worst("of" in measure ? [labelOf(measure.of), ...shared] : shared),
  ]);
  return Object.fromEntries([...by.map((field) => [field, labelOf(field)] as const), ...totals]);
}

/** The units of totals: those of what was added up. */
export function totalUnits({ measures }: Aggregate, units: FieldUnits): FieldUnits {
  return Object.fromEntries(
    Object.entries(measures).flatMap(([name, measure]) => {
      const unit = "of" in measure ? units[measure.of] : undefined;
      return unit === undefined ? [] : [[name, unit]];
    }),
  );
}

const fromBest: readonly FieldLabel[] = ["system", "own", "directory", "shared", "third", "secret"];

function worst(labels: readonly FieldLabel[]): FieldLabel {
  return labels.reduce((one, other) => (fromBest.indexOf(other) > fromBest.indexOf(one) ? other : one), "system");
}

/** What is thrown where a total would tell of too few. */
export function tooSmall(query: string): CountersignError {
  const message = `record query \`${query}\` would tell of fewer than its least group; ask for more of them at once, or read it alone`;
  return new CountersignError("group_too_small", message, { facts: { query } });
}
