import type { Json, JsonObject } from "../../../src/contract/json.ts";
import type { EffectView } from "../../../src/contract/views.ts";

/** The fields that an effect changes and those that stay, with their values now and after approval. */
export function changesOf({ before, expected }: Pick<EffectView, "before" | "expected">): {
  readonly now: JsonObject;
  readonly after: JsonObject;
  readonly changed: readonly string[];
  readonly kept: readonly string[];
} {
  const now = before ?? {};
  const after = expected ?? {};
  const changed = Object.keys(after).filter((field) => !isSame(now[field], after[field]));
  return { now, after, changed, kept: Object.keys(now).filter((field) => !changed.includes(field)) };
}

/** A value as an object with names; what is none has no fields. */
export function asObject(value: Json): JsonObject {
  // An object that is neither null nor a list is one with names.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** Says whether two values are written alike. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
