import type { Json, JsonObject } from "../../contract/json.ts";

/** The description of a cut part: its own, then what was cut, in words. */
export function descriptionOf(schema: JsonObject): JsonObject {
  const words = bounds.flatMap(([keyword, meaning]) => {
    const value = schema[keyword];
    return value === undefined || isWidest(value) ? [] : [`${meaning}: ${String(value)}`];
  });
  const own = typeof schema["description"] === "string" ? [schema["description"]] : [];
  const description = [...own, ...words].join("; ");
  return description === "" ? {} : { description };
}

/** Keywords that are cut, with the words for them: the model reads what the provider does not hold it to. */
const bounds: readonly (readonly [string, string])[] = [
  ["minLength", "at least this many characters"],
  ["maxLength", "at most this many characters"],
  ["pattern", "matches this pattern"],
  ["format", "has this format"],
  ["minimum", "at least"],
  ["maximum", "at most"],
  ["exclusiveMinimum", "more than"],
  ["exclusiveMaximum", "less than"],
  ["multipleOf", "a multiple of"],
  ["minItems", "at least this many members"],
  ["maxItems", "at most this many members"],
  ["uniqueItems", "no member twice"],
];

/** Bounds that every JSON integer has anyway. */
function isWidest(value: Json): boolean {
  return value === false || (typeof value === "number" && Math.abs(value) === Number.MAX_SAFE_INTEGER);
}
