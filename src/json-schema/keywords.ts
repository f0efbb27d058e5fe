import type { Json } from "../contract/json.ts";
import { isList, isRecord } from "./json-value.ts";
import { readPattern } from "./pattern.ts";

/** The drafts that are understood. */
export type Draft = "2020-12" | "7";

/** Where a keyword's value holds subschemas. */
export type Holds = "none" | "schema" | "list" | "map" | "schemaOrList" | "dependencies";

interface Keyword {
  readonly holds: Holds;
  /** Why the value is no value of this keyword; `null` where it is one. */
  readonly problem: (value: Json) => string | null;
  readonly drafts: readonly Draft[];
}

const both: readonly Draft[] = ["2020-12", "7"];
const newer: readonly Draft[] = ["2020-12"];
const older: readonly Draft[] = ["7"];

const text = is("a text", (value) => typeof value === "string");
const count = is("a whole number of 0 or more", (value) => Number.isInteger(value) && Number(value) >= 0);
const number = is("a number", (value) => typeof value === "number");
const flag = is("`true` or `false`", (value) => typeof value === "boolean");
const names = is("a list of texts", isNames);
const namesByName = is("an object of lists of texts", (value) => isRecord(value) && Object.values(value).every(isNames));
const types = ["null", "boolean", "object", "array", "number", "string", "integer"];
const anchor = is("a name such as `part`", (value) => typeof value === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value));

const schema: Shape = { holds: "schema", problem: () => null };
const list: Shape = { holds: "list", problem: is("a list of one schema or more", isFilled) };
const map: Shape = { holds: "map", problem: is("an object of schemas", isRecord) };

/** Every keyword that says something about a value, or about where its schemas are. Others are remarks and say nothing. */
export const keywords: Readonly<Record<string, Keyword>> = Object.assign(Object.create(null) as Record<string, Keyword>, {
  $id: plain(text, both),
  $ref: plain(text, both),
  $anchor: plain(anchor, newer),
  $dynamicAnchor: plain(anchor, newer),
  $dynamicRef: plain(text, newer),
  $defs: { ...map, drafts: newer },
  definitions: { ...map, drafts: both },
  type: plain(typeProblem, both),
  enum: plain(is("a list", isList), both),
  const: plain(() => null, both),
  multipleOf: plain(
    is("a number above 0", (value) => typeof value === "number" && value > 0),
    both,
  ),
  maximum: plain(number, both),
  exclusiveMaximum: plain(number, both),
  minimum: plain(number, both),
  exclusiveMinimum: plain(number, both),
  maxLength: plain(count, both),
  minLength: plain(count, both),
  pattern: plain(patternProblem, both),
  maxItems: plain(count, both),
  minItems: plain(count, both),
  uniqueItems: plain(flag, both),
  maxContains: plain(count, newer),
  minContains: plain(count, newer),
  maxProperties: plain(count, both),
  minProperties: plain(count, both),
  required: plain(names, both),
  dependentRequired: plain(namesByName, newer),
  dependentSchemas: { ...map, drafts: newer },
  dependencies: { holds: "dependencies", problem: is("an object of schemas and lists of texts", isDependencies), drafts: both },
  allOf: { ...list, drafts: both },
  anyOf: { ...list, drafts: both },
  oneOf: { ...list, drafts: both },
  not: { ...schema, drafts: both },
  if: { ...schema, drafts: both },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { ...schema, drafts: both },
  else: { ...schema, drafts: both },
  properties: { ...map, drafts: both },
  patternProperties: { holds: "map", problem: patternNamesProblem, drafts: both },
  additionalProperties: { ...schema, drafts: both },
  propertyNames: { ...schema, drafts: both },
  unevaluatedProperties: { ...schema, drafts: newer },
  prefixItems: { ...list, drafts: newer },
  items: { holds: "schemaOrList", problem: () => null, drafts: both },
  additionalItems: { ...schema, drafts: older },
  contains: { ...schema, drafts: both },
  unevaluatedItems: { ...schema, drafts: newer },
} satisfies Record<string, Keyword>);

/** Keywords of other drafts that would be passed over in silence: their author meant to forbid something. */
export const foreignKeywords: Readonly<Record<Draft, readonly string[]>> = {
  "2020-12": ["$recursiveRef", "$recursiveAnchor", "additionalItems", "extends", "disallow", "divisibleBy"],
  "7": [
    ...["prefixItems", "dependentRequired", "dependentSchemas", "unevaluatedItems", "unevaluatedProperties"],
    ...["minContains", "maxContains", "$dynamicRef", "$recursiveRef", "extends", "disallow", "divisibleBy"],
  ],
};

type Shape = Pick<Keyword, "holds" | "problem">;

function plain(problem: Keyword["problem"], drafts: readonly Draft[]): Keyword {
  return { holds: "none", problem, drafts };
}

function is(what: string, holds: (value: Json) => boolean): Keyword["problem"] {
  return (value) => (holds(value) ? null : `must be ${what}`);
}

function isNames(value: Json): boolean {
  return isList(value) && value.every((one) => typeof one === "string");
}

function isFilled(value: Json): boolean {
  return isList(value) && value.length > 0;
}

function isDependencies(value: Json): boolean {
  return isRecord(value) && Object.values(value).every((one) => !isList(one) || isNames(one));
}

function typeProblem(value: Json): string | null {
  const named = isList(value) ? value : [value];
  const isKnown = named.length > 0 && named.every((one) => typeof one === "string" && types.includes(one));
  return isKnown ? null : `must be one of ${types.join(", ")}, or a list of them`;
}

function patternProblem(value: Json): string | null {
  if (typeof value !== "string") return "must be a text";
  const pattern = readPattern(value);
  return typeof pattern === "string" ? pattern : null;
}

function patternNamesProblem(value: Json): string | null {
  if (!isRecord(value)) return "must be an object of schemas";
  return (
    Object.keys(value)
      .map(patternProblem)
      .find((problem) => problem !== null) ?? null
  );
}
