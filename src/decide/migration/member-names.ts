import type { Capability } from "../../contract/capability.ts";
import type { AnyEffect } from "../../contract/effect.ts";
import type { Json } from "../../contract/json.ts";
import { jsonSchemaOf } from "../../contract/schema.ts";
import { stepSchema } from "../step-schema.ts";

/**
 * Every name of a member that a capability's own schemas declare: of its decision, its effects' params, its tools' arguments and a loop's steps. Whatever
 * else a value has for a name, such as the key of an open object, came from a model and may be somebody's data.
 */
export function memberNames({ deciding, decision, decisionJson, effects }: Capability): ReadonlySet<string> {
  const steps = deciding.kind === "loop" ? [jsonSchemaOf(stepSchema({ tools: deciding.tools, decision, decisionJson }))] : [];
  const names = new Set(effects.flatMap(({ paramRules }) => Object.keys(paramRules)));
  for (const schema of [decisionJson, ...steps, ...effects.map(shownParams)]) addNames(schema, names);
  return names;
}

/** A schema of params without a JSON form says nothing of what lies below the declared ones. */
function shownParams({ params }: AnyEffect): Json {
  try {
    return jsonSchemaOf(params);
  } catch {
    return null;
  }
}

function addNames(schema: Json, names: Set<string>): void {
  if (typeof schema !== "object" || schema === null) return;
  if (Array.isArray(schema)) {
    for (const one of schema) addNames(one, names);
    return;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "properties" && typeof value === "object" && value !== null)
      for (const name of Object.keys(value)) names.add(name);
    addNames(value, names);
  }
}
