import type { LoadedContext } from "../../contract/context.ts";
import { type Json, toFrozenJson } from "../../contract/json.ts";
import type { Envelope } from "../../contract/principal.ts";
import { contentOf } from "../../contract/shown-item.ts";
import type { Deps } from "../state.ts";
import type { Guard, Guarded, GuardRuling } from "./guard.ts";
import { lengthAndLinksGuard } from "./length-and-links.ts";
import { personalDataGuard } from "./personal-data.ts";
import { secretsGuard } from "./secrets.ts";
import { folded } from "./shown.ts";
import { statementsGuard } from "./statements.ts";

/** The guards that always run, in this order. */
const guards: readonly Guard[] = [secretsGuard, personalDataGuard, statementsGuard, lengthAndLinksGuard];

/** How long one guard may take before its silence counts as "block", in milliseconds. */
const guardMs = 2000;

export type GuardedOutput =
  | { readonly kind: "passed"; readonly output: Json }
  | { readonly kind: "blocked"; readonly guard: string; readonly reason: string };

/** Runs every guard over an output. The first that blocks ends it; a guard that errs, is too slow or cannot cut out what it found blocks. */
export async function runGuards({
  output,
  inputs,
  envelope,
  context,
  deps,
}: {
  output: Json;
  inputs: unknown;
  envelope: Envelope;
  context: LoadedContext;
  deps: Deps;
}): Promise<GuardedOutput> {
  const permitted = () => [...textsOf(toFrozenJson(inputs)), ...context.items.flatMap((item) => textsOf(contentOf(item)))];
  let current = output;
  let said = saidIn(current);
  for (const guard of guards) {
    const look = () => ruled(guard, { ...said, permitted, context, envelope, deps });
    const ruling = await look();
    if (ruling.kind === "block") return { kind: "blocked", guard: guard.name, reason: ruling.reason };
    if (ruling.kind !== "redact") continue;
    current = redacted(current, ruling.values, ruling.with);
    said = saidIn(current);
    // What stands in a key cannot be cut out without changing what the output means.
    if ((await look()).kind !== "pass") return { kind: "blocked", guard: guard.name, reason: "what was found cannot be cut out" };
  }
  return { kind: "passed", output: current };
}

async function ruled(guard: Guard, guarded: Guarded): Promise<GuardRuling> {
  try {
    const ruling = guard.rule(guarded);
    return ruling instanceof Promise ? await guarded.deps.deadline.within(guardMs, ruling) : ruling;
  } catch {
    return { kind: "block", reason: "the guard could not be run" };
  }
}

function saidIn(output: Json): Pick<Guarded, "texts" | "folds"> {
  const texts = textsOf(output);
  return { texts, folds: texts.map(folded) };
}

/** Every text of a value, keys of objects and numbers included: a model can write into those too. */
function textsOf(value: Json): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsOf(member)]);
}

function redacted(value: Json, values: readonly string[], replacement: string): Json {
  // The longest first, so that no part of one is left beside the cut of another that it contains.
  const longestFirst = values.toSorted((one, other) => other.length - one.length);
  if (typeof value === "string") return longestFirst.reduce((text, found) => text.replaceAll(found, replacement), value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redacted(item, values, replacement));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redacted(member, values, replacement)]));
}
