import type { Json, JsonObject } from "../contract/json.ts";

/**
 * Says whether every value that a JSON Schema ties to a closed list (`enum`, `const`) is in its list.
 * Written apart from the schema library on purpose: it is a second look at the values that decide most.
 */
export function enumsHold(schema: JsonObject, value: unknown): boolean {
  if (Array.isArray(schema["enum"]) && !schema["enum"].includes(value as Json)) return false; // compared, never stored
  if ("const" in schema && schema["const"] !== value) return false;
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return choices.some((choice) => isObject(choice) && enumsHold(choice, value));
  return membersHold(schema, value) && itemsHold(schema, value);
}

function membersHold(schema: JsonObject, value: unknown): boolean {
  const properties = schema["properties"];
  if (!isObject(properties) || typeof value !== "object" || value === null) return true;
  return Object.entries(properties).every(([name, member]) => {
    if (!isObject(member) || !Object.hasOwn(value, name)) return true;
    return enumsHold(member, (value as { [key: string]: unknown })[name]); // an own member, looked up above
  });
}

function itemsHold(schema: JsonObject, value: unknown): boolean {
  const items = schema["items"];
  if (!isObject(items) || !Array.isArray(value)) return true;
  return value.every((item) => enumsHold(items, item));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
