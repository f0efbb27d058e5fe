import { canonicalJson, type Json, type JsonObject, leavesOf } from "../../contract/json.ts";
import type { BookedOutcome } from "./kept.ts";

/** What something was and what it would be. */
export interface Changed {
  readonly was: Json;
  readonly now: Json;
}

/** One effect that is not as it was: by its place, its name, and the JSON pointers of params that differ; no values. */
export interface ChangedEffect {
  readonly index: number;
  readonly was: string | null;
  readonly now: string | null;
  readonly params: readonly string[];
}

/** What of an outcome would be another: facts by name, effects, and the sources of claims that go or come. Holds no words of anybody. */
export interface Changes {
  readonly facts: { readonly [name: string]: Changed };
  readonly effects: readonly ChangedEffect[];
  readonly claims: {
    readonly was: number;
    readonly now: number;
    readonly gone: readonly string[];
    readonly added: readonly string[];
  };
}

const named = [
  "model",
  "prompt",
  "stop",
  "label",
  "route",
  "rule",
  "loweredBy",
  "confidencePpm",
  "slice",
  "verified",
  "policies",
  "passesAlone",
] as const;

/** Says what of an outcome would change; an outcome with the same facts, effects and claims changes in nothing. */
export function changesBetween(then: BookedOutcome, now: BookedOutcome): Changes {
  const facts = named
    .map((name) => [name, { was: then.facts[name] ?? null, now: now.facts[name] ?? null }] as const)
    .filter(([, changed]) => !isSame(changed.was, changed.now));
  const [before, after] = [sourcesOf(then), sourcesOf(now)];
  return {
    facts: Object.fromEntries(facts),
    effects: effectChanges(then, now),
    claims: {
      ...{ was: before.length, now: after.length },
      gone: before.filter((source) => !after.includes(source)),
      added: after.filter((source) => !before.includes(source)),
    },
  };
}

/** Says whether an outcome would be the same to whoever reads it. */
export function isUnchanged({ facts, effects, claims }: Changes): boolean {
  const said = Object.keys(facts).filter((name) => name !== "model" && name !== "prompt" && name !== "policies");
  return said.length + effects.length + claims.gone.length + claims.added.length === 0;
}

function effectChanges(then: BookedOutcome, now: BookedOutcome): readonly ChangedEffect[] {
  const [before, after] = [rowsOf(then, "effects"), rowsOf(now, "effects")];
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => {
    const [one, other] = [before[index], after[index]];
    return {
      index,
      was: nameOf(one),
      now: nameOf(other),
      params: pointersBetween(one?.["params"] ?? null, other?.["params"] ?? null),
    };
  }).filter(({ was: one, now: other, params }) => one !== other || params.length > 0);
}

function pointersBetween(one: Json, other: Json): readonly string[] {
  const leaves = (value: Json) => new Map(leavesOf(value).map(({ pointer, value: leaf }) => [pointer, leaf]));
  const [before, after] = [leaves(one), leaves(other)];
  return [...new Set([...before.keys(), ...after.keys()])].filter((pointer) => !isSame(before.get(pointer), after.get(pointer)));
}

function sourcesOf(outcome: BookedOutcome): readonly string[] {
  return rowsOf(outcome, "claims").flatMap(({ source }) => (typeof source === "string" ? [source] : []));
}

function rowsOf({ bodies }: BookedOutcome, name: "effects" | "claims"): readonly JsonObject[] {
  const rows = (bodies["proposal"] as JsonObject | undefined)?.[name]; // a proposal, as the journal keeps it
  return Array.isArray(rows) ? (rows as JsonObject[]) : [];
}

function nameOf(effect: JsonObject | undefined): string | null {
  return typeof effect?.["effect"] === "string" ? effect["effect"] : null;
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}
