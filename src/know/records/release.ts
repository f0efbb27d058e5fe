import type { GroupSize } from "../../contract/field-policy.ts";
import type { JsonObject } from "../../contract/json.ts";
import { tooSmall } from "./aggregate.ts";
import type { DecisionMemory, Released } from "./decision-memory.ts";
import { changed } from "./faults.ts";

/**
 * Lets totals through that, with all that this decision was shown of the same people before, tell of no fewer than the least: whoever stands
 * in the same groups everywhere cannot be told apart, so each such set must be large enough. Throws `group_too_small`.
 */
export function release({
  memory,
  query,
  subject,
  shown,
}: {
  memory: DecisionMemory;
  query: string;
  subject: string;
  shown: Released;
}): void {
  const before = memory.released.get(subject) ?? [];
  if (before.length > 0 && !areApart([...before, shown])) throw tooSmall(query);
  memory.released.set(subject, [...before, shown]);
}

function areApart(all: readonly Released[]): boolean {
  const questions = all.flatMap((one) => (one.kind === "asked" ? [one.question] : []));
  // Who stands behind groups that the system of record made is not known here: one question, asked again, tells no more.
  if (questions.length > 0) return questions.length === all.length && new Set(questions).size === 1;
  const groups = all.flatMap((one) => (one.kind === "groups" ? [one] : []));
  // With several rows each, people stand in several groups, and what they share of each is not known here.
  if (groups.some(({ groupsOf }) => [...groupsOf.values()].some((own) => own.length > 1))) return areSame(groups);
  const least = Math.max(...groups.map(({ minimumGroup }) => minimumGroup));
  const sizes = new Map<string, number>();
  for (const person of new Set(groups.flatMap(({ groupsOf }) => [...groupsOf.keys()]))) {
    const place = JSON.stringify(groups.map(({ groupsOf }) => groupsOf.get(person) ?? null));
    sizes.set(place, (sizes.get(place) ?? 0) + 1);
  }
  return [...sizes.values()].every((size) => size >= least);
}

function areSame(all: readonly (Released & { kind: "groups" })[]): boolean {
  const written = all.map(({ groupsOf }) => JSON.stringify([...groupsOf].toSorted(([a], [b]) => (a < b ? -1 : 1))));
  return new Set(written).size === 1;
}

/** Leaves out groups that are too small, and the smallest of the others where what is left out would be too small itself. */
export function largeGroups(
  query: string,
  { field, minimumGroup }: GroupSize,
  rows: readonly JsonObject[],
): readonly JsonObject[] {
  const sized = rows.map((row) => ({ row, size: sizeOf(query, field, row) }));
  const kept = sized.filter(({ size }) => size >= minimumGroup).toSorted((a, b) => b.size - a.size);
  let left = sized.reduce((sum, { size }) => sum + (size < minimumGroup ? size : 0), 0);
  while (left > 0 && left < minimumGroup) {
    const smallest = kept.pop();
    if (smallest === undefined) throw tooSmall(query);
    left += smallest.size;
  }
  const stay = new Set(kept.map(({ row }) => row));
  return rows.filter((row) => stay.has(row));
}

function sizeOf(query: string, field: string, row: JsonObject): number {
  const size = row[field];
  if (typeof size === "number" && Number.isInteger(size) && size >= 0) return size;
  throw changed(query, { column: field, how: "is no count" });
}
