import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fitToSchema, jsonSchemaOf } from "../contract/schema.ts";
import { defineTool } from "../define/tool.ts";
import { stepSchema } from "./step-schema.ts";

interface Folder {
  readonly name: string;
  readonly inside: readonly Folder[];
}
/** A schema that points into itself, as a lazy one does. */
const folder: z.ZodType<Folder> = z.strictObject({
  name: z.string().max(9),
  get inside() {
    return z.array(folder).max(3);
  },
});
const look = defineTool({
  name: "look",
  description: "Looks.",
  sideEffect: "read",
  args: z.strictObject({ at: folder, $ref: z.enum(["#/a", "#/b"]) }),
  need: () => ({ kind: "passages", query: "", limit: 1, minimumScore: 0 }),
});
const count = defineTool({
  name: "count",
  description: "Counts.",
  sideEffect: "read",
  args: z.strictObject({ to: z.int().min(1).max(9) }),
  need: () => ({ kind: "passages", query: "", limit: 1, minimumScore: 0 }),
});
const decision = z.strictObject({ where: folder });
const schema = stepSchema({ tools: [look, count], decision, decisionJson: jsonSchemaOf(decision) });
const wire = new Ajv2020({ strict: false }).compile(jsonSchemaOf(schema));

const leaf = { name: "b", inside: [] };
const at = { name: "a", inside: [leaf] };
const good: readonly object[] = [
  { next: { tool: "look", arguments: { at, $ref: "#/a" } } },
  { next: { tool: "count", arguments: { to: 9 } } },
  { next: { final: { where: at } } },
];
const bad: readonly (readonly [string, unknown, RegExp])[] = [
  ["nothing", null, /next/],
  ["a list", [], /next/],
  ["an empty object", {}, /next/],
  ["a key beside it", { next: { final: { where: at } }, why: "so" }, /next/],
  ["no step", { next: "count" }, /next/],
  ["both at once", { next: { tool: "count", arguments: { to: 1 }, final: { where: at } } }, /\/next: write either/],
  ["neither", { next: {} }, /\/next: write either/],
  ["a tool without arguments", { next: { tool: "count" } }, /\/next: write either/],
  ["a tool that is no word", { next: { tool: 7, arguments: {} } }, /\/next: write either/],
  ["arguments beyond a limit", { next: { tool: "count", arguments: { to: 10 } } }, /^\/next\/arguments\/to: /],
  ["arguments of another tool", { next: { tool: "look", arguments: { to: 1 } } }, /^\/next\/arguments/],
  ["an extra argument", { next: { tool: "count", arguments: { to: 1, by: 2 } } }, /^\/next\/arguments: /],
  [
    "a fault deep inside",
    { next: { final: { where: { name: "a", inside: [{ name: "b" }] } } } },
    /^\/next\/final\/where\/inside\/0/,
  ],
];

describe("the schema of a step", () => {
  it.each(good)("takes %j as it stands, as its wire form does", async (reply) => {
    expect(await fitToSchema(schema, reply)).toEqual({ kind: "fits", value: reply });
    expect(wire(reply)).toBe(true);
  });

  it.each(bad)("refuses %s and says where, as its wire form does", async (_what, reply, says) => {
    const fit = await fitToSchema(schema, reply);
    expect(fit).toMatchObject({ kind: "misfits", issues: expect.arrayContaining([expect.stringMatching(says)]) });
    expect(wire(reply)).toBe(false);
  });

  it.each([{ tool: "delete", arguments: { to: 1 } }, { tool: "__proto__" }, { tool: "delete", final: { where: at } }])(
    "lets the name of a tool that is not on the list through, so that it is seen, though no wire form offers it: %j",
    async (next) => {
      expect(await fitToSchema(schema, { next })).toEqual({ kind: "fits", value: { next } });
      expect(wire({ next })).toBe(false);
    },
  );

  it("refuses arguments that would fill every later prompt, whatever their own schema lets pass", async () => {
    const free = defineTool({ ...count, name: "free", args: z.strictObject({ text: z.string() }), need: count.need });
    const open = stepSchema({ tools: [free], decision, decisionJson: jsonSchemaOf(decision) });
    const reply = (length: number) => ({ next: { tool: "free", arguments: { text: "x".repeat(length) } } });
    expect(await fitToSchema(open, reply(3_900))).toMatchObject({ kind: "fits" });
    expect(await fitToSchema(open, reply(4_000))).toEqual({
      kind: "misfits",
      issues: [expect.stringContaining("4000 characters")],
    });
  });

  it("moves what points and leaves values as they are", () => {
    const part = { $ref: "#/$defs/part" };
    const decisionJson = { properties: { one: part, two: { const: part, enum: [part] } }, $defs: { part: { type: "string" } } };
    expect(JSON.stringify(jsonSchemaOf(stepSchema({ tools: [], decision, decisionJson })))).toContain(
      '{"one":{"$ref":"#/properties/next/anyOf/0/properties/final/$defs/part"},"two":{"const":{"$ref":"#/$defs/part"},"enum":[{"$ref":"#/$defs/part"}]}}',
    );
  });

  it("has an object at its root, names each tool with its own arguments, and is closed everywhere", () => {
    const shown = jsonSchemaOf(schema);
    expect(shown).toMatchObject({ type: "object", required: ["next"], additionalProperties: false });
    expect(JSON.stringify(shown)).not.toContain("$schema");
    expect(shown["properties"]).toMatchObject({
      next: {
        anyOf: [
          { properties: { tool: { enum: ["look"] } }, additionalProperties: false },
          { properties: { tool: { enum: ["count"] } }, additionalProperties: false },
          { required: ["final"], additionalProperties: false },
        ],
      },
    });
  });
});
