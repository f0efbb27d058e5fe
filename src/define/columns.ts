import { CountersignError } from "../contract/errors.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import type { Column, Columns, ColumnType } from "../contract/record-query.ts";
import { jsonSchemaOf, type Schema } from "../contract/schema.ts";

/** The fields of an object schema with the JSON types of each. Throws `definition_invalid` for a schema that does not say them. */
export function columnsOf(schema: Schema, named: string): Columns {
  const shown = shownSchema(schema, named);
  const properties = shown["properties"];
  if (shown["type"] !== "object" || !isObject(properties)) throw invalid(`${named} is no schema of an object with named fields`);
  const required = shown["required"];
  const columns = Object.entries(properties).map(([name, one]): readonly [string, Column] => [
    name,
    { types: typesOf(one), isOptional: !(Array.isArray(required) && required.includes(name)) },
  ]);
  return new Map(columns);
}

function shownSchema(schema: Schema, named: string): JsonObject {
  try {
    return jsonSchemaOf(schema);
  } catch (cause) {
    throw new CountersignError("definition_invalid", `${named} cannot be written as JSON Schema; use no transforms in it`, {
      cause,
    });
  }
}

/** `null` for a schema that takes anything. */
function typesOf(schema: Json): ReadonlySet<ColumnType> | null {
  if (!isObject(schema)) return null;
  const { type, anyOf, oneOf } = schema;
  if (typeof type === "string") return new Set([type as ColumnType]); // a schema's types are these words
  if (Array.isArray(type)) return new Set(type as readonly ColumnType[]); // the same words in a list
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) {
    const each = choices.map(typesOf);
    return each.includes(null) ? null : new Set(each.flatMap((types) => [...(types ?? [])]));
  }
  if (Object.hasOwn(schema, "const")) return new Set([jsonType(schema["const"] ?? null)]);
  const { enum: words } = schema;
  return Array.isArray(words) ? new Set(words.map(jsonType)) : null;
}

function jsonType(value: Json): ColumnType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as ColumnType; // a JSON value is of one of these
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
