import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonSchemaOf } from "../contract/schema.ts";
import { enumsHold } from "./enums.ts";

const size = z.enum(["s", "m"]);
interface Tree {
  readonly size: "s" | "m";
  readonly below: readonly Tree[];
}
const tree: z.ZodType<Tree> = z.strictObject({
  size,
  get below() {
    return z.array(tree);
  },
});
const shape = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("box"), size }),
  z.strictObject({ kind: z.literal("bag"), name: z.string() }),
]);

describe("enumsHold", () => {
  it.each<[string, z.ZodType, unknown, unknown]>([
    ["a value", size, "s", "xl"],
    ["a member", z.strictObject({ a: z.strictObject({ size }) }), { a: { size: "m" } }, { a: { size: "M" } }],
    ["an optional member", z.strictObject({ size: size.optional() }), {}, { size: "" }],
    ["an item", z.array(size), ["s", "m"], ["s", "l"]],
    ["a place of a tuple", z.tuple([z.string(), size]), ["l", "s"], ["s", "l"]],
    ["a member of a record", z.record(z.string(), size), { a: "s" }, { a: "l" }],
    ["a literal", z.strictObject({ kind: z.literal("box") }), { kind: "box" }, { kind: "bag" }],
    ["a choice of a union", shape, { kind: "box", size: "s" }, { kind: "box", size: "l" }],
    [
      "both sides of an intersection",
      z.intersection(z.object({ a: size }), z.object({ b: size })),
      { a: "s", b: "m" },
      { a: "s", b: "l" },
    ],
    [
      "a branch of a tree",
      tree,
      { size: "s", below: [{ size: "m", below: [] }] },
      { size: "s", below: [{ size: "m", below: [{ size: "l", below: [] }] }] },
    ],
    ["a value that may be null", size.nullable(), null, "l"],
  ])("looks at %s", (_what, schema, listed, stray) => {
    expect(enumsHold(jsonSchemaOf(schema), listed)).toBe(true);
    expect(enumsHold(jsonSchemaOf(schema), stray)).toBe(false);
  });

  it("takes no inherited member for data", () => {
    expect(enumsHold(jsonSchemaOf(z.strictObject({ constructor: size.optional() })), {})).toBe(true);
  });
});

it("takes as long as the value is large, however its choices are nested", () => {
  const node: z.ZodType = z.lazy(() =>
    z.discriminatedUnion("op", [
      z.strictObject({ child: node, op: z.literal("not") }),
      z.strictObject({ child: node, op: z.literal("always") }),
      z.strictObject({ op: z.literal("end") }),
    ]),
  );
  const schema = jsonSchemaOf(z.strictObject({ rule: node }));
  const nested = (last: string) => {
    let value: unknown = { op: last };
    for (let depth = 0; depth < 60; depth += 1) value = { child: value, op: "always" };
    return { rule: value };
  };
  // Twice as long for each level, it would not end.
  expect(enumsHold(schema, nested("end"))).toBe(true);
  expect(enumsHold(schema, nested("begin"))).toBe(false);
});
