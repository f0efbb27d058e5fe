import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject } from "./json.ts";

/**
 * A schema that checks a value and can be shown to a model: Standard Schema with its JSON Schema output (Zod 4 is one).
 * Source: the Standard Schema and Standard JSON Schema specifications, version 1.
 */
export type Schema<T = unknown> = {
  readonly "~standard": StandardSchemaV1.Props<unknown, T> & StandardJSONSchemaV1.Props<unknown, T>;
};

/** What a check against a schema says: the parsed value, or each issue as `path: message`. */
export type Fit<T> =
  | { readonly kind: "fits"; readonly value: T }
  | { readonly kind: "misfits"; readonly issues: readonly string[] };

/** Checks a value against a schema in full; a schema that throws counts as a misfit (fail closed). */
export async function fitToSchema<T>(schema: Schema<T>, value: unknown): Promise<Fit<T>> {
  try {
    const result = await schema["~standard"].validate(value);
    if (result.issues === undefined) return { kind: "fits", value: result.value };
    return { kind: "misfits", issues: result.issues.map(sentenceOf) };
  } catch {
    return { kind: "misfits", issues: ["/: the schema could not be applied"] };
  }
}

function sentenceOf(issue: StandardSchemaV1.Issue): string {
  const keys = (issue.path ?? []).map((part) => String(typeof part === "object" ? part.key : part));
  return `/${keys.join("/")}: ${issue.message}`;
}

/** The JSON Schema (draft 2020-12) that a model is shown for a decision schema. */
export function jsonSchemaOf(schema: Schema): JsonObject {
  // Converters return plain JSON by their specification.
  return schema["~standard"].jsonSchema.output({ target: "draft-2020-12" }) as JsonObject;
}
