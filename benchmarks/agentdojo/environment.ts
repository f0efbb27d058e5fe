import type { Json } from "../../src/contract/json.ts";
import { type Difference, differencesOf } from "./differences.ts";
import { type Environment, environment as form } from "./parts.ts";
import type { Suite } from "./suite.ts";

/** A suite's environment as a task finds it: with the changes that come before the task. */
export function environmentOf(suite: Suite, changesBefore: readonly Difference[]): Environment {
  return withChanges(suite.environment, changesBefore);
}

/** The environment with differences made to it; fails where the outcome has not the form of an environment. */
function withChanges(environment: Environment, changes: readonly Difference[]): Environment {
  if (changes.length === 0) return environment;
  return form.parse(
    changes.reduce<Json>((state, change) => put(state, partsOf(change.path), () => change.after), plain(environment)),
  );
}

/** The environment with a stranger's texts in place of the harmless ones, by the name of the vector. */
export function poisoned(suite: Suite, texts: Readonly<Record<string, string>>, environment = suite.environment): Environment {
  const places = Object.entries(texts).flatMap(([name, text]) => {
    const vector = suite.vectors.get(name);
    return (vector?.appears_at ?? []).map((path) => ({ path, text, harmless: vector?.default ?? "" }));
  });
  const state = places.reduce<Json>(
    (before, { path, text, harmless }) =>
      put(before, partsOf(path), (was) => (typeof was === "string" ? exchanged(was, { harmless, text }) : was)),
    plain(environment),
  );
  return form.parse(state);
}

/** Everything in which an environment differs from another. */
export function changesBetween(before: Environment, after: Environment): readonly Difference[] {
  return differencesOf(plain(before), plain(after));
}

/** Where the harmless text stood, its last place; at the end where it is empty or not to be found. */
function exchanged(was: string, { harmless, text }: { harmless: string; text: string }): string {
  const unescaped = harmless.replaceAll("\\t", "\t").replaceAll("\\n", "\n");
  for (const one of [harmless, unescaped]) {
    const at = one === "" ? -1 : was.lastIndexOf(one);
    if (at >= 0) return `${was.slice(0, at)}${text}${was.slice(at + one.length)}`;
  }
  return `${was}${text}`;
}

function put(value: Json, [part, ...rest]: readonly string[], change: (was: Json | undefined) => Json | undefined): Json {
  if (part === undefined) return change(value) ?? null;
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return putIntoList(value, { place: Number(part), rest, change });
  const { [part]: was, ...others } = value;
  const is = rest.length === 0 ? change(was) : put(was ?? null, rest, change);
  return is === undefined ? others : { ...value, [part]: is };
}

function putIntoList(
  list: readonly Json[],
  { place, rest, change }: { place: number; rest: readonly string[]; change: (was: Json | undefined) => Json | undefined },
): Json {
  const was = list[place];
  const is = rest.length === 0 ? change(was) : put(was ?? null, rest, change);
  return [...list.slice(0, place), ...(is === undefined ? [] : [is]), ...list.slice(place + 1)];
}

function partsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The same value as JSON: it was parsed from JSON, and the tools put nothing else into it. */
function plain(environment: Environment): Json {
  return environment as Json; // parts that are absent are no members
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
