import { canonicalJson, type Json } from "../../contract/json.ts";
import type { ContractDifference, TrialResult } from "../../contract/migration.ts";
import type { Contract } from "./contract-of.ts";
import { proseAlikePpm } from "./prose-alike.ts";
import { addShape, type Shape } from "./shape.ts";

/**
 * Compares what two models left of one request: contracts by name, type and form; the decision as a whole by whether the same would be done;
 * prose apart from both. Values that differ break no contract. `usual` are further shapes of the old model, which vary with the request; `names` are
 * those that the capability's schemas declare, and no path holds another. Members that are not there are no break here, since a schema may let them be
 * left out; `membersDiffer` looks for them over many requests.
 */
export function compareContracts({
  old,
  next,
  names,
  usual = new Map(),
}: {
  old: Contract;
  next: Contract;
  names: ReadonlySet<string>;
  usual?: Shape;
}): TrialResult {
  return {
    differences: old.hasFailed ? [] : differencesOf({ old, next, names, usual }),
    oldFailed: old.hasFailed,
    newFailed: next.hasFailed,
    agrees: canonicalJson(doneBy(old)) === canonicalJson(doneBy(next)),
    prosePpm: proseAlikePpm(old.prose, next.prose),
    old: old.figures,
    new: next.figures,
  };
}

/** The shapes of what some walks left, under `decision`, `effect NAME` and `tool NAME`, by paths of declared names. */
export function contractShape(contracts: readonly Contract[], names: ReadonlySet<string>): Shape {
  const shape = new Map<string, Set<string>>();
  const shaping = { shape, names };
  for (const { decision, effects, tools } of contracts) {
    addShape(decision, "decision", shaping);
    for (const { name, params } of effects) addShape(params, `effect ${name}`, shaping);
    for (const tool of tools) addShape(tool.arguments, `tool ${tool.name}`, shaping);
  }
  return shape;
}

/** Members that one model always gives and the other never, over many requests. */
export function membersDiffer(old: Shape, next: Shape): readonly ContractDifference[] {
  const missing = [...old.keys()].filter((path) => isMember(path) && !next.has(path) && next.has(parentOf(path)));
  const added = [...next.keys()].filter((path) => isMember(path) && !old.has(path) && old.has(parentOf(path)));
  return [
    ...missing.map((path): ContractDifference => ({ kind: "missing", path })),
    ...added.map((path): ContractDifference => ({ kind: "added", path })),
  ];
}

function doneBy({ outcome, effects }: Contract): Json {
  return { ...outcome, effects: effects.map(({ name, params }) => ({ name, params })) };
}

function differencesOf({
  old,
  next,
  names,
  usual,
}: Required<Parameters<typeof compareContracts>[0]>): readonly ContractDifference[] {
  const schema: readonly ContractDifference[] = next.hasMisfit && !old.hasMisfit ? [{ kind: "schema", path: "reply" }] : [];
  const known = joined(contractShape([old], names), usual);
  const shown = contractShape([next], names);
  // What nothing was ever seen of says nothing; a tool or an effect that is not the other's does, where the other named one.
  const roots = (shape: Shape, what: string) => [...shape.keys()].filter((path) => path.startsWith(`${what} `) && isRoot(path));
  const strange = ["effect", "tool"].flatMap((what) =>
    roots(known, what).length === 0 ? [] : roots(shown, what).filter((path) => !known.has(path)),
  );
  return [
    ...schema,
    ...strange.map((path): ContractDifference => ({ kind: "name", path })),
    ...[...shown].flatMap(([path, forms]) => formsDiffer(path, forms, known)),
  ];
}

function formsDiffer(path: string, forms: ReadonlySet<string>, known: Shape): readonly ContractDifference[] {
  const before = known.get(path);
  if (before === undefined) return [];
  const strange = [...forms].filter((form) => !before.has(form) && !areAlike(form, before));
  if (strange.length === 0) return [];
  const types = new Set([...before].map(typeOf));
  return [{ kind: strange.some((form) => !types.has(typeOf(form))) ? "type" : "form", path }];
}

/** Prose may be long or short: a text of one word in the place of a sentence is none of another form. */
function areAlike(form: string, others: ReadonlySet<string>): boolean {
  if (form === "text") return [...others].some((other) => typeOf(other) === "text");
  return typeOf(form) === "text" && others.has("text");
}

function joined(one: Shape, other: Shape): Shape {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return new Map([...paths].map((path) => [path, new Set([...(one.get(path) ?? []), ...(other.get(path) ?? [])])]));
}

function typeOf(form: string): string {
  return form.split(" ", 1)[0] ?? form;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function isRoot(path: string): boolean {
  return !path.includes("/");
}

/** A member of an object; of a list there is none that must be there. */
function isMember(path: string): boolean {
  return !isRoot(path) && !path.endsWith("/*");
}
