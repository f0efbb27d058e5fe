import { hash } from "node:crypto";
import { CountersignError } from "../contract/errors.ts";
import { deepFreeze, type JsonObject } from "../contract/json.ts";
import { jsonSchemaOf, type Schema } from "../contract/schema.ts";

/** A schema as models are shown it, with the SHA-256 of its text in hex. */
export interface ShownSchema {
  readonly json: JsonObject;
  readonly digest: string;
}

/** Makes a converter of schemas that converts each once. It throws `definition_invalid` for one that no model can be shown. */
export function createSchemaShow(): (schema: Schema) => ShownSchema {
  const known = new WeakMap<Schema, ShownSchema>();
  return (schema) => {
    const shown = known.get(schema) ?? converted(schema);
    known.set(schema, shown);
    return shown;
  };
}

function converted(schema: Schema): ShownSchema {
  try {
    const json = deepFreeze(jsonSchemaOf(schema));
    return { json, digest: hash("sha256", JSON.stringify(json), "hex") };
  } catch (cause) {
    const message = "the decision schema has no JSON Schema that a model can be shown; use no transforms in it";
    throw new CountersignError("definition_invalid", message, { cause });
  }
}
