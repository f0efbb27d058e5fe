import type { Json, JsonObject } from "../../src/contract/json.ts";

/**
 * The text over which the set hashes a state: members sorted by key, those of `null` dropped, numbers to two places. Not the canonical
 * form of Countersign, which keeps every number and every `null`.
 */
export function stateText(value: Json): string {
  if (typeof value === "number") return JSON.stringify(Number(value.toFixed(2)));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(stateText).join(",")}]`;
  return `{${membersOf(value).join(",")}}`;
}

function membersOf(value: JsonObject): string[] {
  return Object.keys(value)
    .sort()
    .flatMap((key) => {
      const member = value[key];
      return member === null || member === undefined ? [] : [`${JSON.stringify(key)}:${stateText(member)}`];
    });
}

// `Array.isArray` does not narrow readonly arrays.
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
