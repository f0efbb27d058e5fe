import type { Json, JsonObject } from "../contract/json.ts";

/** The text of a field, or `null`. */
export function textAt(body: JsonObject, name: string): string | null {
  const value = body[name];
  return typeof value === "string" ? value : null;
}

/** The number of a field, or `null`. */
export function numberAt(body: JsonObject, name: string): number | null {
  const value = body[name];
  return typeof value === "number" ? value : null;
}

/** The texts of a field that is a list of them; none where it is no list. */
export function textsAt(body: JsonObject, name: string): readonly string[] {
  const value = body[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** The plain object of a field, or `null`. */
export function objectAt(body: { readonly [name: string]: Json }, name: string): JsonObject | null {
  const value = body[name];
  // Narrowed to a plain object.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
