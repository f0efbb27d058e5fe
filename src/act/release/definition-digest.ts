import type { AnyEffect } from "../../contract/effect.ts";
import { canonicalJson, type Json } from "../../contract/json.ts";
import { jsonSchemaOf } from "../../contract/schema.ts";
import { sha256Digest } from "../../store/digest.ts";

/**
 * SHA-256 over an effect's definition: its fields, its schema and the text of its functions, in hex. What these functions call, and the
 * hands, are not in it.
 */
export function definitionDigest(effect: AnyEffect): string {
  return sha256Digest.sha256(canonicalJson(plain(effect)));
}

function plain({ params, compensate, ...rest }: AnyEffect): Json {
  return {
    ...(textsOf(rest) as { [member: string]: Json }), // an object stays one
    params: schemaOf(params),
    compensate: compensate === undefined ? null : [compensate.effect.name, compensate.effect.version, String(compensate.params)],
  };
}

/** A schema that has no JSON form is told apart by its text alone. */
function schemaOf(params: AnyEffect["params"]): Json {
  try {
    return jsonSchemaOf(params);
  } catch {
    return String(params);
  }
}

function textsOf(value: unknown): Json {
  if (typeof value === "function") return String(value);
  if (Array.isArray(value)) return value.map(textsOf);
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : ((value ?? null) as Json); // a plain value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, textsOf(member)]));
}
