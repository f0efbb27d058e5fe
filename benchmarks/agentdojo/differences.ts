import type { Json } from "../../src/contract/json.ts";

/** One place where two states differ, by JSON pointer; what is new or gone is given whole. */
export interface Difference {
  readonly op: "add" | "remove" | "replace";
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** Everything in which a state differs from another, sorted by path. Lists are compared place by place. */
export function differencesOf(before: Json, after: Json): readonly Difference[] {
  return compare(before, after, "").sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether two lists of differences say the same; the order of `participants` and the order of the list mean nothing. */
export function areSameDifferences(some: readonly Difference[], others: readonly Difference[]): boolean {
  const [a, b] = [some, others].map((list) => list.map(textOf).sort());
  return a !== undefined && b !== undefined && a.length === b.length && a.every((text, place) => text === b[place]);
}

function compare(before: Json, after: Json, path: string): Difference[] {
  if (before === after) return [];
  if (typeof before !== "object" || typeof after !== "object" || before === null || after === null)
    return [{ op: "replace", path, before, after }];
  if (Array.isArray(before) !== Array.isArray(after)) return [{ op: "replace", path, before, after }];
  const [old, young] = [membersOf(before), membersOf(after)];
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), young.get(key)];
    const here = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (was === undefined) return is === undefined ? [] : [{ op: "add", path: here, after: is }];
    return is === undefined ? [{ op: "remove", path: here, before: was }] : compare(was, is, here);
  });
}

function membersOf(value: object): Map<string, Json> {
  // A state is plain JSON.
  return new Map(Object.entries(value as { [key: string]: Json }));
}

function textOf({ op, path, after }: Difference): string {
  return JSON.stringify([op, path, after === undefined ? null : inOrder(after, path.slice(path.lastIndexOf("/") + 1))]);
}

/** Keys sorted, and the participants of an event, which the original keeps as a set. */
function inOrder(value: Json, key: string): Json {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) {
    const members = value.map((member) => inOrder(member, ""));
    return key === "participants" ? members.sort((a, b) => (String(a) < String(b) ? -1 : 1)) : members;
  }
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name] ?? null, name)]));
}

// `Array.isArray` does not narrow readonly arrays.
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
