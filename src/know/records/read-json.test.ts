import { describe, expect, it, test } from "vitest";
import { holdsText, readJson } from "./read-json.ts";

describe("JSON of a system of record", () => {
  test.each([
    ["9007199254740991", 9_007_199_254_740_991],
    ["9007199254740993", "9007199254740993"],
    ["-9007199254740993", "-9007199254740993"],
    ["12345678901234567.89", "12345678901234567.89"],
    ["1e400", "1e400"],
    ["0.1", 0.1],
    ["-0.0", -0],
  ])("of `%s` is %j", (text, expected) => {
    expect(readJson(`{"a":[${text}]}`)).toEqual({ a: [expected] });
  });

  it("is none where it is none", () => {
    expect(() => readJson("{")).toThrow(SyntaxError);
  });

  test.each([
    ["a value", '{"a":[{"b":"my key-of-\\u0070arcels"}]}', true],
    ["a key", '{"a":{"key-of-\\u0070arcels":1}}', true],
    ["nothing", '{"a":["key-of","parcels"],"b":null}', false],
  ])("holds a text in %s, however it is escaped", (_, json, expected) => {
    expect(holdsText(readJson(json), "key-of-parcels")).toBe(expected);
  });

  it("holds a number's digits, and is looked through however deep it goes", () => {
    expect(holdsText([[12_345_678]], "12345678")).toBe(true);
    let deep: { a: unknown } = { a: "key-of-parcels" };
    for (let depth = 0; depth < 50_000; depth += 1) deep = { a: deep };
    expect(holdsText(deep as never, "key-of-parcels")).toBe(true); // deeper than the type can say
  });
});
