import type { RecordQuery } from "../../contract/connector.ts";
import type { RecordRow } from "../../contract/context.ts";
import { canonicalJson, type Json, type JsonObject, toFrozenJson } from "../../contract/json.ts";
import { totalLabels, totalsOf, totalUnits } from "./aggregate.ts";
import type { DecisionMemory } from "./decision-memory.ts";
import { showRow } from "./field-policy.ts";
import { largeGroups, release } from "./release.ts";

/** Rows as they came, and what they came for. */
export interface Found {
  readonly query: Omit<RecordQuery<never>, "run">;
  readonly need: { readonly name: string; readonly params: JsonObject };
  readonly rows: readonly JsonObject[];
  /** When rows left their system that do not say it themselves. */
  readonly readAt: number;
  readonly memory: DecisionMemory;
}

/**
 * Rows as a decision is shown them: fields that are hidden are gone or covered, totals stand in the place of rows, groups that are too small are
 * not told. What is hidden is remembered for the output guard. Throws `group_too_small`, `record_changed`.
 */
export function shownRows(found: Found): readonly RecordRow[] {
  const { query, rows } = found;
  // A row is an object by its type; what JSON would lose, such as a Date or a BigInt, is refused here.
  const kept = rows.map((row) => toFrozenJson(row) as JsonObject);
  if (query.aggregate !== undefined) return totals(found, kept);
  return (query.groupSize === undefined ? kept : groups(found, kept)).map((row) => {
    const { row: shown, hidden, masked } = showRow(row, query.fields ?? {});
    remember(found.memory, hidden);
    const id = `${query.name}:${query.key(row)}`;
    return recordRow(found, { id, row: shown, masked, readAt: query.readAt === undefined ? found.readAt : query.readAt(row) });
  });
}

function recordRow(
  { query, need }: Found,
  { id, row, readAt, ...own }: Pick<RecordRow, "id" | "row" | "readAt"> & Partial<Pick<RecordRow, "labels" | "units" | "masked">>,
): RecordRow {
  const units = own.units ?? query.units;
  return Object.freeze({
    ...{ kind: "record", id, need: need.name, query: query.name, title: query.title ?? query.name },
    row: toFrozenJson(row) as JsonObject, // a copy of an object is one
    labels: own.labels ?? query.labels,
    ...(units === undefined ? {} : { units }),
    ...(own.masked === undefined || own.masked.length === 0 ? {} : { masked: Object.freeze([...own.masked]) }),
    readAt,
  } as const);
}

function totals(found: Found, rows: readonly JsonObject[]): readonly RecordRow[] {
  const { query, memory } = found;
  const { aggregate, units = {} } = query;
  if (aggregate === undefined || rows.length === 0) return [];
  const { rows: made, groupsOf, hidden } = totalsOf(query.name, aggregate, rows);
  const { subject, minimumGroup, by } = aggregate;
  release({ memory, query: query.name, subject, shown: { kind: "groups", groupsOf, minimumGroup } });
  remember(memory, hidden);
  // A total is as old as the oldest row of it.
  const readAt = Math.min(...rows.map((row) => query.readAt?.(row) ?? found.readAt));
  const own = { labels: totalLabels(aggregate, query.labels), units: totalUnits(aggregate, units) };
  return made.map((row) => recordRow(found, { id: `${query.name}:${groupName(row, by)}`, row, readAt, ...own }));
}

function groups({ query, need, memory }: Found, rows: readonly JsonObject[]): readonly JsonObject[] {
  const { groupSize, name } = query;
  if (groupSize === undefined) return rows;
  const large = largeGroups(name, groupSize, rows);
  const question = canonicalJson([name, need.params]);
  release({ memory, query: name, subject: groupSize.subject, shown: { kind: "asked", question } });
  return large;
}

function groupName(row: JsonObject, by: readonly string[]): string {
  const values: Json[] = by.map((field) => row[field] ?? null);
  if (by.length === 0) return "all";
  return values.every((value) => value === null) ? "other" : values.map((value) => String(value)).join(",");
}

function remember(memory: DecisionMemory, hidden: readonly string[]): void {
  for (const text of hidden) memory.hidden.add(text);
}
