import type { Json, JsonObject } from "../../contract/json.ts";
import { descriptionOf } from "./cut-words.ts";
import { isObject, pointedAt, recurs } from "./schema-references.ts";
import type { SchemaSubset } from "./schema-subset.ts";

/** A schema for the wire: one that the provider enforces, or the reason why it cannot and the whole one as a hint. */
export type WireSchema =
  | { readonly kind: "enforced"; readonly schema: JsonObject }
  | { readonly kind: "hint"; readonly schema: JsonObject; readonly because: string };

/**
 * Cuts a schema down to what a provider enforces. Invariant: whatever conforms to the full schema conforms to the cut one, so a cut only
 * ever allows more; the full schema is checked here afterwards. What is cut is told in the description, in words. A schema that the
 * subset cannot say without forbidding or changing something (an optional key where all must be required, an open object, a tuple)
 * is not bent: it stays whole and goes out as a hint.
 */
export function wireSchema(schema: JsonObject, subset: SchemaSubset): WireSchema {
  const cut: Cut = { subset, root: schema, optionalKeys: 0, unions: 0, keys: 0, enumValues: 0 };
  try {
    const { $schema: _, ...plain } = schema;
    const target = resolved(plain, cut);
    if (target["type"] !== "object") throw new Unsayable("its root is not one object");
    const root = cutNode(target, cut, 1);
    const defs = cutDefinitions(schema, cut);
    refuseLimits(cut);
    return { kind: "enforced", schema: { ...root, ...defs } };
  } catch (thrown) {
    if (!(thrown instanceof Unsayable)) throw thrown;
    return { kind: "hint", schema, because: thrown.message };
  }
}

/** One cut under way: what has been counted so far. */
interface Cut {
  readonly subset: SchemaSubset;
  readonly root: JsonObject;
  optionalKeys: number;
  unions: number;
  keys: number;
  enumValues: number;
}

/** Why a schema cannot be said; never leaves this file. */
class Unsayable extends Error {}

function cutNode(schema: Json | undefined, cut: Cut, depth: number): JsonObject {
  if (!isObject(schema)) throw new Unsayable("it holds a part that allows anything or nothing");
  if (depth > cut.subset.maxDepth) throw new Unsayable(`it is nested deeper than ${cut.subset.maxDepth} levels`);
  if (typeof schema["$ref"] === "string") return cutReference(schema["$ref"], cut);
  for (const keyword of shaping) {
    if (schema[keyword] !== undefined) throw new Unsayable(`it uses \`${keyword}\``);
  }
  const described = descriptionOf(schema);
  const union = schema["anyOf"] ?? schema["oneOf"];
  if (union !== undefined) return { ...described, anyOf: cutUnion(schema, union, cut, depth) };
  if (schema["const"] !== undefined) return { ...described, ...cutValues([schema["const"]], cut) };
  if (Array.isArray(schema["enum"])) return { ...described, ...cutValues(schema["enum"], cut) };
  return { ...described, ...cutTyped(schema, cut, depth) };
}

/** Keywords that shape what may be written in a way that no subset has, so that leaving them out leaves no usable schema. */
const shaping = [
  ...["allOf", "patternProperties", "prefixItems", "additionalItems", "unevaluatedItems", "$dynamicRef", "$recursiveRef"],
  ...["if", "dependentSchemas", "dependencies"],
];

function cutUnion(schema: JsonObject, union: Json, cut: Cut, depth: number): readonly JsonObject[] {
  if (!Array.isArray(union) || union.length === 0) throw new Unsayable("it holds an empty union");
  // Beside a union these would have to be met as well, and the union alone would be sent: more than the schema says, and no shape lost.
  const beside = ["properties", "items", "enum", "const", "additionalProperties"].find((key) => schema[key] !== undefined);
  if (beside !== undefined) throw new Unsayable(`it uses \`${beside}\` beside a union`);
  cut.unions += 1;
  return union.map((member: Json) => cutNode(member, cut, depth));
}

function cutValues(values: readonly Json[], cut: Cut): JsonObject {
  const kinds = new Set(values.map((value) => (value === null ? "null" : typeof value)));
  cut.enumValues += values.length;
  if (values.length === 0 || kinds.has("object")) throw new Unsayable("it lists values that are no plain ones");
  const types = [...kinds];
  const type = types.length === 1 && types[0] !== undefined ? types[0] : types;
  return { type, enum: values };
}

function cutTyped(schema: JsonObject, cut: Cut, depth: number): JsonObject {
  const { type } = schema;
  if (Array.isArray(type)) return cutTypes(schema, type, cut, depth);
  if (type === "object") return cutObject(schema, cut, depth);
  if (type === "array") return { type, items: cutNode(schema["items"], cut, depth + 1) };
  if (typeof type === "string" && plainTypes.includes(type)) return { type };
  throw new Unsayable("it holds a part without a type");
}

const plainTypes: readonly string[] = ["string", "number", "integer", "boolean", "null"];

function cutTypes(schema: JsonObject, types: readonly Json[], cut: Cut, depth: number): JsonObject {
  if (types.every((type) => typeof type === "string" && plainTypes.includes(type))) return { type: types };
  cut.unions += 1;
  return { anyOf: types.map((type) => cutTyped({ ...schema, type }, cut, depth)) };
}

function cutObject(schema: JsonObject, cut: Cut, depth: number): JsonObject {
  const isClosed = schema["additionalProperties"] === false || schema["unevaluatedProperties"] === false;
  if (!isClosed) throw new Unsayable("it holds an object that is open to further keys");
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const keys = Object.keys(properties);
  const listed: readonly Json[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const required = keys.filter((key) => listed.includes(key));
  const optional = keys.length - required.length;
  if (optional > 0 && cut.subset.needsAllKeys) throw new Unsayable("it holds an object with a key that may be left out");
  cut.optionalKeys += optional;
  cut.keys += keys.length;
  const entries = keys.map((key) => [key, cutNode(properties[key], cut, depth + 1)] as const);
  return { type: "object", properties: Object.fromEntries(entries), required, additionalProperties: false };
}

function cutReference(reference: string, cut: Cut): JsonObject {
  if (!/^#(?:\/(?:\$defs|definitions)\/[^/]+)?$/.test(reference)) throw new Unsayable("it refers to something outside");
  if (!cut.subset.mayRecur && recurs(reference, cut.root)) throw new Unsayable("it refers to itself");
  return { $ref: reference };
}

/** Definitions are cut like the rest: a reference must lead to a cut one. */
function cutDefinitions(schema: JsonObject, cut: Cut): JsonObject {
  const entries = (["$defs", "definitions"] as const).flatMap((place) => {
    const members = schema[place];
    if (!isObject(members)) return [];
    return [[place, Object.fromEntries(Object.entries(members).map(([name, member]) => [name, cutNode(member, cut, 1)]))]];
  });
  return Object.fromEntries(entries);
}

/** The root itself, or what a root that is only a reference refers to: providers want an object there. */
function resolved(schema: JsonObject, cut: Cut): JsonObject {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  const target = pointedAt(reference, cut.root);
  return isObject(target) ? target : schema;
}

function refuseLimits({ subset, optionalKeys, unions, keys, enumValues }: Cut): void {
  const over = [
    [optionalKeys, subset.maxOptionalKeys, "keys that may be left out"],
    [unions, subset.maxUnions, "unions"],
    [keys, subset.maxKeys, "keys"],
    [enumValues, subset.maxEnumValues, "listed values"],
  ] as const;
  const first = over.find(([count, most]) => count > most);
  if (first !== undefined) throw new Unsayable(`it has more than ${first[1]} ${first[2]}`);
}
