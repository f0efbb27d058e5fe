import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../contract/json.ts";
import { fitToSchema, jsonSchemaOf } from "../contract/schema.ts";
import { jsonContract } from "./json-contract.ts";

const seven = "http://json-schema.org/draft-07/schema#";
const fitOf = (schema: JsonObject | boolean, value: unknown) => fitToSchema(jsonContract(schema), value);
const fits = async (schema: JsonObject | boolean, value: unknown) => (await fitOf(schema, value)).kind === "fits";
const issues = async (schema: JsonObject, value: unknown) => {
  const said = await fitOf(schema, value);
  return said.kind === "misfits" ? said.issues : [];
};

const order = {
  type: "object",
  properties: {
    lines: { type: "array", minItems: 1, items: { $ref: "#/$defs/line" } },
    note: { type: "string", maxLength: 5 },
  },
  required: ["lines"],
  additionalProperties: false,
  $defs: {
    line: {
      type: "object",
      properties: { sku: { type: "string", pattern: "^[A-Z]{2}-[0-9]+$" }, count: { type: "integer", minimum: 1 } },
      required: ["sku", "count"],
    },
  },
} as const;

describe("a contract from elsewhere", () => {
  it("takes a value that fits, and gives it back", async () => {
    const value = { lines: [{ sku: "AB-1", count: 2 }], note: "hello" };
    expect(await fitOf(order, value)).toEqual({ kind: "fits", value });
  });

  it("says of each misfit where it stands and what was expected, without the value", async () => {
    expect(await issues(order, { lines: [{ sku: "secret", count: 0 }, {}], note: "longer", extra: 1 })).toEqual([
      "/lines/0/sku: must match the pattern",
      "/lines/0/count: must be at least 1",
      "/lines/1: lacks the property `sku`",
      "/lines/1: lacks the property `count`",
      "/note: must be at most 5 characters long",
      "/: has the property `extra`, which is not allowed",
    ]);
  });

  it("is shown to a model as it was written", () => {
    expect(jsonSchemaOf(jsonContract(order))).toEqual(order);
    expect(jsonSchemaOf(jsonContract(false))).toEqual({ not: {} });
  });

  it("keeps its own copy: who changes the schema afterwards changes no contract", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    const contract = jsonContract(schema);
    schema.required.length = 0;
    schema.properties.a.type = "number";
    expect((await fitToSchema(contract, { a: 1 })).kind).toBe("misfits");
    expect((await fitToSchema(contract, {})).kind).toBe("misfits");
  });

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["NaN", Number.NaN],
    ["a date", new Date(0)],
    ["a function within", { a: () => 1 }],
    ["a map", new Map()],
  ])("takes no %s, whatever the schema allows", async (_what, value) => {
    expect(await fits(true, value)).toBe(false);
  });

  it("reads draft 7 by its own rules, and 2020-12 by its", async () => {
    const beside = { definitions: { a: { type: "array" } }, $ref: "#/definitions/a", maxItems: 1 };
    expect(await fits({ $schema: seven, ...beside }, [1, 2])).toBe(true);
    expect(await fits(beside, [1, 2])).toBe(false);
    expect(await fitToSchema(jsonContract(beside, { draftWithoutName: "7" }), [1, 2])).toMatchObject({ kind: "fits" });
    expect(await fits({ $schema: seven, items: [{ type: "string" }], additionalItems: false }, ["a", 1])).toBe(false);
  });

  it("takes `format` for a remark, as both drafts do", async () => {
    expect(await fits({ type: "string", format: "email" }, "no address")).toBe(true);
  });

  it.each<[string, Json, Json, boolean]>([
    ["equal objects in another order", { enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }, true],
    ["a text that looks like another value", { const: 1 }, "1", false],
    ["a name of JavaScript's own", { required: ["constructor"] }, {}, false],
    [
      "a prototype that is a plain key",
      { properties: { ["__proto__"]: { type: "number" } } },
      JSON.parse('{"__proto__":"x"}'),
      false,
    ],
    ["a decimal step", { multipleOf: 0.0001 }, 0.0075, true],
    ["a decimal step that is missed", { multipleOf: 0.01 }, 19.995, false],
    ["characters, not code units", { maxLength: 1 }, "\u{1f600}", true],
    ["items that differ in type alone", { uniqueItems: true }, [1, "1", true, [1], { a: 1 }], true],
    [
      "items that are equal",
      { uniqueItems: true },
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      false,
    ],
  ])("tells %s", async (_what, schema, value, expected) => {
    expect(await fits(schema as JsonObject, value)).toBe(expected); // each is an object
  });
});

describe("a schema that cannot be used", () => {
  const deep = (levels: number) => JSON.parse(`${'{"not":'.repeat(levels)}{}${"}".repeat(levels)}`);
  const many = { anyOf: Array.from({ length: 6_000 }, () => ({})) };

  it.each<[string, unknown, RegExp]>([
    ["a draft that is not understood", { $schema: "http://json-schema.org/draft-04/schema#" }, /`\/\$schema` stands a draft/],
    ["a draft within", { properties: { a: { $schema: seven } } }, /\/properties\/a\/\$schema/],
    ["a reference to elsewhere", { $ref: "https://elsewhere.example/schema" }, /nothing is fetched/],
    ["a reference to a file", { $ref: "file:///etc/passwd" }, /nothing is fetched/],
    ["a reference that leads nowhere", { properties: { a: { $ref: "#/$defs/a" } } }, /leads nowhere/],
    ["an anchor that is not there", { $ref: "#a" }, /leads nowhere/],
    ["an unknown type", { type: "strng" }, /`\/type` must be one of/],
    ["a pattern that is none", { pattern: "(" }, /no regular expression/],
    ["a pattern of an older engine", { pattern: "\\-" }, /no regular expression/],
    ["a limit as a text", { maxLength: "5" }, /whole number/],
    ["a limit of draft 4", { exclusiveMinimum: true }, /must be a number/],
    ["a list of items of an older draft", { items: [{}] }, /`prefixItems`/],
    ["a keyword of another draft", { $schema: seven, unevaluatedProperties: false }, /draft 7 does not have/],
    ["a subschema that is none", { properties: { a: "string" } }, /must stand a schema/],
    ["two subschemas of one URI", { $defs: { a: { $id: "x" }, b: { $id: "x" } } }, /another subschema has/],
    ["two anchors of one name", { $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } }, /another subschema has/],
    ["too deep a schema", deep(65), /deeper than 64/],
    ["a schema too deep to look at", deep(5_000), /deeper/],
    ["too many subschemas", many, /more than 5000/],
    ["too long a text", { title: "x".repeat(300_000) }, /longer than/],
    ["too long a pattern", { pattern: "x".repeat(3_000) }, /longer than 2000/],
    ["no schema at all", null, /must stand a schema/],
    ["a value of JavaScript's", { const: undefined, title: () => "" }, /not JSON/],
  ])("is refused: %s", (_what, schema, message) => {
    const make = () => jsonContract(schema as JsonObject); // as a caller without types would
    expect(make).toThrow(expect.objectContaining({ code: "definition_invalid" }));
    expect(make).toThrow(message);
  });
});

describe("a hostile schema or value", () => {
  const unchecked = ["/: could not be checked within its limits"];
  const doubling = (levels: number): JsonObject => ({
    $ref: "#/$defs/d0",
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, i) => {
        const next = i + 1 < levels ? { $ref: `#/$defs/d${i + 1}` } : false;
        return [`d${i}`, { anyOf: [next, next] }];
      }),
    ),
  });

  const again = (schema: JsonObject): JsonObject => ({
    $defs: { one: schema },
    allOf: Array.from({ length: 300 }, () => ({ $ref: "#/$defs/one" })),
  });
  const keys = (count: number, before = "k") => Object.fromEntries(Array.from({ length: count }, (_, i) => [`${before}${i}`, 0]));
  const namesOf = (count: number) => Object.fromEntries(Object.keys(keys(count)).map((key) => [key, []]));
  const ladder = (rungs: number): JsonObject => ({
    $ref: "#/$defs/d0",
    $defs: Object.fromEntries(
      Array.from({ length: rungs }, (_, i) => [
        `d${i}`,
        i + 1 < rungs ? { $ref: `#/$defs/d${i + 1}` } : { additionalProperties: true },
      ]),
    ),
  });

  it.each<[string, JsonObject, unknown]>([
    ["a reference to itself", { $ref: "#" }, 1],
    [
      "references in a circle",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } },
      1,
    ],
    ["alternatives that double at each level", doubling(40), 1],
    ["a pattern that backtracks without end", { pattern: "^(a+)+$" }, `${"a".repeat(60)}b`],
    ["the same in a name", { patternProperties: { "^(a|a)*$": {} } }, { [`${"a".repeat(60)}b`]: 1 }],
    ["optional parts without end", { pattern: `^${"a?".repeat(40)}${"a".repeat(20)}$` }, `${"a".repeat(59)}b`],
    ["a plain pattern over a long text", { pattern: "a+b" }, "a".repeat(400_000)],
    [
      "a plain pattern over many texts",
      { items: { pattern: "[a-z]+@" } },
      Array.from({ length: 2_000 }, () => "a".repeat(1_000)),
    ],
    ["a plain pattern over many names", { patternProperties: { "[a-z]+@": true } }, keys(3_000, "a".repeat(950))],
    ["many names again and again", again({ required: Object.keys(keys(20_000)) }), {}],
    ["the same, where the names depend", again({ dependentRequired: { k0: Object.keys(keys(20_000)) } }), keys(1)],
    ["many names that something depends on", again({ dependentRequired: namesOf(5_000) }), {}],
    ["many properties again and again", again({ minProperties: 1 }), keys(50_000)],
    ["a long text that is measured again and again", again({ maxLength: 600_000 }), "x".repeat(1_000_000)],
    ["the same from below", again({ minLength: 600_000 }), "x".repeat(1_000_000)],
    ["a long text that is compared again and again", again({ const: "x" }), "x".repeat(1_000_000)],
    ["numbers of hundreds of digits", again({ items: { multipleOf: 5e-324 } }), Array.from({ length: 400 }, () => 1.7e308)],
    ["what was looked at, handed up level by level", { ...ladder(60), unevaluatedProperties: false }, keys(10_000)],
  ])("ends as a misfit, soon: %s", async (_what, schema, value) => {
    const start = performance.now();
    expect(await issues(schema, value)).toEqual(unchecked);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it("never turns a limit within `not` or `anyOf` into a fit", async () => {
    expect(await issues({ not: { $ref: "#/not" } }, 1)).toEqual(unchecked);
    expect(await issues({ anyOf: [{ pattern: "^(a+)+$" }, true] }, `${"a".repeat(60)}b`)).toEqual(unchecked);
  });

  it("measures what is plainly long or short enough without counting it", async () => {
    const text = "\u{1F600}".repeat(300_000);
    expect(await fits(again({ maxLength: 600_000, minLength: 300_000 }), text)).toBe(true);
    expect(await fits({ maxLength: 299_999 }, text)).toBe(false);
    expect(await fits({ minLength: 300_001 }, text)).toBe(false);
    expect(await fits({ maxLength: 300_000, minLength: 300_000 }, text)).toBe(true);
  });

  it("takes an ordinary pattern over a long list, with and without a time limit", async () => {
    const pattern = { items: { pattern: "^[a-z]{2,8}-[0-9]+$" } };
    const items = (count: number) => Array.from({ length: count }, (_, i) => `order-${i}`);
    expect(await fits(pattern, items(100))).toBe(true);
    expect(await fits(pattern, items(20_000))).toBe(true);
    expect(await fits(pattern, [...items(20_000), "order"])).toBe(false);
  });

  it("takes a long list of equal-looking items in time", async () => {
    expect(
      await fits(
        { uniqueItems: true },
        Array.from({ length: 20_000 }, (_, i) => ({ a: i })),
      ),
    ).toBe(true);
  });

  it("takes a value that is nested too deep for a misfit", async () => {
    const value = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);
    expect(await issues({ items: { $ref: "#" } }, value)).toEqual(["/: is nested deeper than 200 levels"]);
  });

  it("still matches slow-looking patterns that are harmless", async () => {
    const schema = { pattern: "^[a-z]+(-[a-z]+)*$" };
    expect(await fits(schema, "one-two-three")).toBe(true);
    expect(await fits(schema, "one--two")).toBe(false);
  });
});
