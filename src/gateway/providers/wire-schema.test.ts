import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Json, JsonObject } from "../../contract/json.ts";
import { jsonSchemaOf } from "../../contract/schema.ts";
import { anthropicSubset, openAiSubset } from "./schema-subset.ts";
import { type WireSchema, wireSchema } from "./wire-schema.ts";

const subsets = { openai: openAiSubset, anthropic: anthropicSubset };
const names = ["openai", "anthropic"] as const;

function cutOf(schema: Json, subset: keyof typeof subsets = "openai"): WireSchema {
  return wireSchema(schema as JsonObject, subsets[subset]); // tests hand in objects
}

function accepts(schema: JsonObject, value: unknown): boolean {
  return new Ajv2020({ strict: false, validateFormats: false }).validate(schema, value);
}

/** A schema together with values that it may accept. */
interface Sample {
  readonly schema: JsonObject;
  readonly value: fc.Arbitrary<Json>;
}

const text: fc.Arbitrary<Sample> = fc.record({ min: fc.nat(3), more: fc.nat(5) }).map(({ min, more }) => ({
  schema: { type: "string", minLength: min, maxLength: min + more, description: "a text" },
  value: fc.string({ minLength: min, maxLength: min + more, unit: "grapheme-ascii" }),
}));
const count: fc.Arbitrary<Sample> = fc.record({ min: fc.integer({ min: -9, max: 9 }), more: fc.nat(9) }).map(({ min, more }) => ({
  schema: { type: "integer", minimum: min, exclusiveMaximum: min + more + 1, multipleOf: 1 },
  value: fc.integer({ min, max: min + more }),
}));
const plainValue = fc.oneof(fc.string({ maxLength: 4 }), fc.integer(), fc.boolean(), fc.constant(null));
const listed: fc.Arbitrary<Sample> = fc.uniqueArray(plainValue, { minLength: 1, maxLength: 4 }).map((values) => ({
  schema: values.length === 1 ? { const: values[0] ?? null } : { enum: values },
  value: fc.constantFrom(...values),
}));
const nullable: fc.Arbitrary<Sample> = fc.constant({
  schema: { type: ["string", "null"], format: "date" },
  value: fc.oneof(fc.constant(null), fc.string({ maxLength: 4 })),
});
const reference: fc.Arbitrary<Sample> = fc.constant({
  schema: { $ref: "#/$defs/shared", description: "beside a reference" },
  value: fc.constantFrom("left", "right"),
});

const mostly = fc.nat(9).map((roll) => roll > 0);

const { node } = fc.letrec<{ node: Sample; object: Sample }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    ...[text, count, listed, nullable, reference],
    fc.record({ item: tie("node"), most: fc.integer({ min: 1, max: 3 }) }).map(({ item, most }) => ({
      schema: { type: "array", items: item.schema, maxItems: most, uniqueItems: false },
      value: fc.array(item.value, { maxLength: most }),
    })),
    fc
      .record({ members: fc.array(tie("node"), { minLength: 1, maxLength: 3 }), word: fc.constantFrom("anyOf", "oneOf") })
      .map(({ members, word }) => ({
        schema: { [word]: members.map(({ schema }) => schema) },
        value: fc.oneof(...members.map(({ value }) => value)),
      })),
    tie("object"),
  ),
  object: objectOf(tie("node")),
}));

function objectOf(member: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  const key = fc.constantFrom("a", "b", "c d", "é");
  const entries = fc.uniqueArray(fc.tuple(key, member, mostly), { selector: ([name]) => name, maxLength: 3 });
  return entries.map((list) => {
    const required: string[] = list.filter(([, , isRequired]) => isRequired).map(([name]) => name);
    const schema = {
      type: "object",
      properties: Object.fromEntries(list.map(([name, sample]) => [name, sample.schema])),
      required,
      additionalProperties: false,
    };
    const values: Record<string, fc.Arbitrary<Json>> = Object.fromEntries(list.map(([name, { value }]) => [name, value]));
    return { schema, value: fc.record(values, { requiredKeys: required }) };
  });
}

const rooted = objectOf(node).chain(({ schema, value }) =>
  fc.record({ schema: fc.constant({ ...schema, $defs: { shared: { enum: ["left", "right"] } } }), value }),
);

describe("a schema for the wire", () => {
  it.each(names)("for %s accepts whatever the full one accepts", (name) => {
    let compared = 0;
    const property = fc.property(rooted, ({ schema, value }) => {
      fc.pre(accepts(schema, value));
      const cut = cutOf(schema, name);
      if (cut.kind === "enforced") compared += 1;
      expect(accepts(cut.schema, value)).toBe(true);
    });
    fc.assert(property, { numRuns: 150 });
    expect(compared).toBeGreaterThan(30);
  });

  it.each(names)("for %s holds nothing that the provider does not take", (name) => {
    const property = fc.property(rooted, ({ schema }) => {
      const cut = cutOf(schema, name);
      if (cut.kind === "enforced") expect(strangeIn(cut.schema, subsets[name].needsAllKeys)).toEqual([]);
    });
    fc.assert(property, { numRuns: 400 });
  });

  it("says in words what it cuts", () => {
    const schema = z.object({
      days: z.int().min(0).max(30),
      id: z
        .string()
        .regex(/^D-\d+$/)
        .describe("the device"),
    });
    expect(cutOf(jsonSchemaOf(schema))).toEqual({
      kind: "enforced",
      schema: {
        type: "object",
        properties: {
          days: { type: "integer", description: "at least: 0; at most: 30" },
          id: { type: "string", description: "the device; matches this pattern: ^D-\\d+$" },
        },
        required: ["days", "id"],
        additionalProperties: false,
      },
    });
  });

  it("makes a union of what may be exactly one, and a list of what is constant", () => {
    const schema = z.object({
      next: z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]),
    });
    const member = (kind: string) => ({
      type: "object",
      properties: { kind: { type: "string", enum: [kind] } },
      required: ["kind"],
      additionalProperties: false,
    });
    expect(cutOf(jsonSchemaOf(schema)).schema["properties"]).toEqual({ next: { anyOf: [member("a"), member("b")] } });
  });

  it("takes a root that only refers to an object as that object", () => {
    const object = { type: "object", properties: { a: { $ref: "#" } }, required: ["a"], additionalProperties: false };
    expect(cutOf({ $ref: "#/$defs/root", $defs: { root: object } })).toEqual({
      kind: "enforced",
      schema: { ...object, $defs: { root: object } },
    });
  });

  const closed = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
    type: "object",
    properties,
    required,
    additionalProperties: false,
  });
  const deep = (levels: number): JsonObject => (levels === 0 ? { type: "string" } : closed({ in: deep(levels - 1) }));

  it.each([
    ["a key that may be left out", closed({ a: { type: "string" } }, []), "a key that may be left out"],
    ["an open object", { type: "object", properties: {} }, "open to further keys"],
    ["a map", closed({ a: { type: "object", additionalProperties: { type: "string" } } }), "open to further keys"],
    ["a tuple", closed({ a: { type: "array", prefixItems: [{ type: "string" }] } }), "`prefixItems`"],
    ["an intersection", closed({ a: { allOf: [{ type: "string" }] } }), "`allOf`"],
    ["anything", closed({ a: {} }), "without a type"],
    ["true", closed({ a: true }), "anything or nothing"],
    ["a union at the root", { anyOf: [closed({}), closed({ a: { type: "string" } })] }, "root is not one object"],
    ["keys beside a union", closed({ a: { properties: { b: {} }, anyOf: [{ type: "string" }] } }), "beside a union"],
    ["listed objects", closed({ a: { enum: [{ b: 1 }] } }), "no plain ones"],
    ["a reference to elsewhere", closed({ a: { $ref: "https://schemas.example/x" } }), "outside"],
    ["six levels", deep(6), "deeper than 5 levels"],
  ])("leaves %s whole, as a hint, and says why", (_, schema, because) => {
    const cut = cutOf(schema);
    expect(cut).toMatchObject({ kind: "hint", because: expect.stringContaining(because) });
    expect(cut.schema).toBe(schema);
  });

  it("lets Anthropic have keys that may be left out, up to ten, and nothing that refers to itself", () => {
    const optional = (count: number) =>
      closed(Object.fromEntries([...Array(count).keys()].map((at) => [`k${at}`, { type: "string" }])), []);
    expect(cutOf(optional(10), "anthropic").kind).toBe("enforced");
    expect(cutOf(optional(11), "anthropic")).toMatchObject({
      kind: "hint",
      because: "it has more than 10 keys that may be left out",
    });
    const tree = closed({ children: { type: "array", items: { $ref: "#" } } });
    const pair = {
      ...closed({ a: { $ref: "#/$defs/a" } }),
      $defs: { a: closed({ b: { $ref: "#/$defs/b" } }), b: closed({ a: { $ref: "#/$defs/a" } }) },
    };
    for (const recursive of [tree, pair]) {
      expect(cutOf(recursive, "anthropic")).toMatchObject({ kind: "hint", because: "it refers to itself" });
      expect(cutOf(recursive, "openai").kind).toBe("enforced");
    }
  });

  it("is quick about references that fan out", () => {
    const defs = [...Array(60).keys()].map((at) => [
      `d${at}`,
      closed({ a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } }),
    ]);
    const schema = {
      ...closed({ a: { $ref: "#/$defs/d0" } }),
      $defs: Object.fromEntries([...defs, ["d60", { type: "string" }]]),
    };
    expect(cutOf(schema, "anthropic").kind).toBe("enforced");
  });
});

const known = [
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "anyOf",
  "$ref",
  "$defs",
  "description",
];

/** Every place of a schema that breaks a rule of the subset. */
function strangeIn(schema: JsonObject, needsAllKeys: boolean, path = ""): string[] {
  const own = Object.keys(schema).filter((key) => !known.includes(key));
  const properties = Object.entries((schema["properties"] ?? {}) as JsonObject); // written by the code under test
  const required = (schema["required"] ?? []) as readonly string[];
  const open = schema["type"] === "object" && schema["additionalProperties"] !== false ? ["open"] : [];
  const optional = needsAllKeys && required.length < properties.length ? ["optional"] : [];
  const below = [
    ...properties,
    ...Object.entries((schema["$defs"] ?? {}) as JsonObject),
    ...((schema["anyOf"] ?? []) as readonly Json[]).map((member, at) => [String(at), member] as const),
    ...(schema["items"] === undefined ? [] : [["items", schema["items"]] as const]),
  ];
  return [
    ...[...own, ...open, ...optional].map((what) => `${path}: ${what}`),
    ...below.flatMap(([key, member]) => strangeIn(member as JsonObject, needsAllKeys, `${path}/${key}`)),
  ];
}
