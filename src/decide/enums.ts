import { atPointer, type Json, type JsonObject } from "../contract/json.ts";

/**
 * Says whether every value that a JSON Schema ties to a closed list (`enum`, `const`) is in its list.
 * Written apart from the schema library on purpose: it is a second look at the values that decide most.
 */
export function enumsHold(schema: JsonObject, value: unknown): boolean {
  return holds(schema, value, { root: schema, known: new Map() });
}

/** The whole schema, and what was found of a schema and a value: without it the choices of a nested value are tried anew at each level. */
interface Looking {
  readonly root: JsonObject;
  readonly known: Map<JsonObject, Map<object, boolean>>;
}

function holds(schema: JsonObject, value: unknown, looking: Looking): boolean {
  if (typeof value !== "object" || value === null) return isHeld(schema, value, looking);
  const ofSchema = looking.known.get(schema) ?? new Map<object, boolean>();
  looking.known.set(schema, ofSchema);
  const found = ofSchema.get(value);
  if (found !== undefined) return found;
  // A schema that leads back to itself with the same value ties it to nothing more.
  ofSchema.set(value, true);
  const result = isHeld(schema, value, looking);
  ofSchema.set(value, result);
  return result;
}

function isHeld(schema: JsonObject, value: unknown, looking: Looking): boolean {
  const target = typeof schema["$ref"] === "string" ? atPointer(looking.root, schema["$ref"].slice(1)) : undefined;
  if (isObject(target) && !holds(target, value, looking)) return false;
  if (Array.isArray(schema["enum"]) && !schema["enum"].includes(value as Json)) return false; // compared, never stored
  if ("const" in schema && schema["const"] !== value) return false;
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices))
    return choices.some((choice) => isObject(choice) && isOfType(choice, value) && holds(choice, value, looking));
  const parts = schema["allOf"];
  if (Array.isArray(parts) && !parts.every((part) => isObject(part) && holds(part, value, looking))) return false;
  return membersHold(schema, value, looking) && itemsHold(schema, value, looking);
}

/** A choice of another type is not the one that the value is in; without this, a list that may also be null would hold anything. */
function isOfType({ type }: JsonObject, value: unknown): boolean {
  if (typeof type !== "string") return true;
  if (value === null) return type === "null";
  if (Array.isArray(value)) return type === "array";
  return typeof value === "number" ? type === "number" || type === "integer" : type === typeof value;
}

function membersHold(schema: JsonObject, value: unknown, looking: Looking): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const others = schema["additionalProperties"];
  return Object.entries(value).every(([name, member]) => {
    const rule = Object.hasOwn(properties, name) ? properties[name] : others;
    return !isObject(rule) || holds(rule, member, looking);
  });
}

function itemsHold(schema: JsonObject, value: unknown, looking: Looking): boolean {
  if (!Array.isArray(value)) return true;
  const first = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
  return value.every((item, place) => {
    const rule = place < first.length ? first[place] : schema["items"];
    return !isObject(rule) || holds(rule, item, looking);
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
