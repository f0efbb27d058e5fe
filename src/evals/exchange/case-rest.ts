/** What of a case other programs have no place for. It travels beside the rest, under our name, so that a case comes back whole. */
import type { EvalCase } from "../case-file.ts";
import { type CaseDefaults, type ExchangeNote, leftOut, objectOf } from "./exchanged.ts";

/** The name under which it travels in the metadata of others. */
export const restKey = "countersign";

/** Everything of a case but its request, with expectations that the other program does not hold itself. */
export function restOf(one: EvalCase, expectations: object): object {
  const { id, envelope, fixtures, label, kind, slice, source } = one;
  return { id, envelope, fixtures: withoutEmpty(fixtures), label, kind, slice, source, expectations };
}

/** What a file of others says of a case under our name; an empty object where it says nothing. */
export function readRest(metadata: unknown): Readonly<Record<string, unknown>> {
  return objectOf(objectOf(metadata)?.[restKey]) ?? {};
}

/** Metadata that others wrote, each by its name: a case has no place for it. `at` is where the metadata stands. */
export function metadataNotes(metadata: unknown, at: string): readonly ExchangeNote[] {
  if (metadata === undefined || metadata === null) return [];
  const members = objectOf(metadata);
  if (members === null) return [leftOut(at, "metadata", "it is no object, so a case has no place for it")];
  return Object.keys(members)
    .filter((name) => name !== restKey)
    .map((name) => leftOut(`${at}/${name}`, name, "a case has no place for metadata of others"));
}

/** The members of a case that no file of others need have. */
export function withDefaults(
  rest: Readonly<Record<string, unknown>>,
  {
    defaults,
    id,
    source,
  }: {
    defaults: CaseDefaults;
    id: string;
    source: string;
  },
): object {
  return {
    id,
    envelope: { principal: defaults.principal, roles: defaults.roles },
    fixtures: { seed: "sandbox" },
    label: "quality",
    kind: "single",
    slice: defaults.slice,
    source: source.trim().slice(0, 200) || "imported",
    ...rest,
  };
}

/** An object without the lists and objects that hold nothing: they are what is left out in a file of ours. */
export function withoutEmpty(value: object): Record<string, unknown> {
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (inner === undefined || (Array.isArray(inner) && inner.length === 0)) return [];
    const own = objectOf(inner);
    if (own === null) return [[key, inner]];
    const kept = Object.keys(own).length > 0 && emptyable.includes(key) ? withoutEmpty(own) : own;
    return Object.keys(kept).length === 0 && emptyable.includes(key) ? [] : [[key, kept]];
  });
  return Object.fromEntries(entries);
}

/** Members whose own members are lists that may be left out. Others, such as params, hold what was asked, empty or not. */
const emptyable: readonly string[] = ["statements", "effects"];
