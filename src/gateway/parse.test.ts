import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStrictJson } from "./parse.ts";

const incomplete = "the reply is not one complete JSON value with nothing around it";

/** JSON whose numbers a double holds exactly as written. */
const json = fc
  .jsonValue({ stringUnit: "grapheme", maxDepth: 5 })
  .filter((value) => !/(?<![.\d])\d{16,}/.test(JSON.stringify(value)));
const objectText = fc
  .dictionary(fc.string({ unit: "grapheme" }), json, { minKeys: 0, maxKeys: 6 })
  .map((value) => JSON.stringify(value));

function escaped(key: string): string {
  return [...Array(key.length).keys()].map((at) => `\\u${key.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
}

function problemOf(text: string): string | null {
  const result = parseStrictJson(text);
  return result.kind === "refused" ? result.problem : null;
}

describe("a strict JSON parser", () => {
  it("agrees with JSON.parse on valid JSON that names no key twice", () => {
    const property = fc.property(json, fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const unkept = JSON.stringify(value).includes("\\u0000") || !text.isWellFormed();
      if (unkept) expect(problemOf(text)).toMatch(/cannot be kept/);
      else expect(parseStrictJson(text)).toEqual({ kind: "parsed", value: JSON.parse(text) });
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("refuses every proper prefix of an object's text in the same words", () => {
    const property = fc.property(objectText, (text) => {
      fc.pre(!text.includes("\\u0000"));
      for (let end = 1; end < text.length; end += 1) {
        const prefix = text.slice(0, end);
        if (prefix.isWellFormed()) expect(problemOf(prefix)).toBe(incomplete);
      }
    });
    fc.assert(property, { numRuns: 60 });
  });

  it("refuses a key given twice at any depth, in whatever spelling", () => {
    const key = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 10 })
      .filter((text) => text.isWellFormed() && !text.includes("\0"));
    const property = fc.property(key, json, fc.nat(20), fc.boolean(), (name, value, depth, isEscaped) => {
      fc.pre(!JSON.stringify(value).includes("\\u0000") && JSON.stringify(value).isWellFormed());
      const again = isEscaped ? `"${escaped(name)}"` : JSON.stringify(name);
      const twice = `{${JSON.stringify(name)}:${JSON.stringify(value)} , ${again}\n:1}`;
      expect(problemOf(`${'[{"x":'.repeat(depth)}${twice}${"}]".repeat(depth)}`)).toMatch(
        /^the reply has the key `.+` twice in one object$/s,
      );
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("takes one key in several objects, and a text that equals a key, for no double", () => {
    const text = '{"a":{"a":["a","a"]},"b":[{"a":1},{"a":1}],"c":"a"}';
    expect(parseStrictJson(text)).toEqual({ kind: "parsed", value: JSON.parse(text) });
  });

  it.each([
    'Here is the JSON: {"a":1}',
    '{"a":1} Let me know if that helps!',
    '```json\n{"a":1}\n```',
    '{"a":1}{"a":1}',
    '{"a":1,}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":-Infinity}',
    '{"a":undefined}',
    '{"a":01}',
    '{"a":1} // done',
    '\uFEFF{"a":1}',
  ])("refuses %j, which is not one JSON value", (text) => {
    expect(problemOf(text)).toBe(incomplete);
  });

  it.each([
    "9E1874",
    "-9e1874",
    "12345678901234567890",
    "-9007199254740993",
    "1e-400",
    "0.0000e0001e",
    "4e-999",
    "15.99999999999999999999",
    "9007199254740993.0",
    "1599999999999999999999e-20",
    "12345678901234567891e0",
  ])("refuses the number %s, which a double does not hold", (number) => {
    expect(problemOf(`{"a":[${number}]}`)).toBe(
      number.endsWith("e") ? incomplete : `the reply has the number \`${number}\`, which is out of range`,
    );
  });

  it.each([
    "0",
    "-0",
    "0.0",
    "0e5",
    "1e3",
    "-1.50e1",
    "12.000",
    "100e-2",
    "2.5e-7",
    "-9007199254740991",
    "1e20",
    "15.500",
    "1.7976931348623157e308",
    "5e-324",
  ])("reads the number %s", (number) => {
    expect(parseStrictJson(`[${number}]`)).toEqual({ kind: "parsed", value: [Number(number)] });
  });

  it.each(['"a\0"', '"\\u0000"', '{"\\u0000":1}', '"\\ud800"', '"\uDC00"', '{"a\\udfff":1}'])(
    "refuses text that no store keeps: %j",
    (text) => {
      expect(problemOf(text)).toMatch(/cannot be kept|not one complete/);
      expect(problemOf(text)).not.toBeNull();
    },
  );

  it("keeps `__proto__` as plain data", () => {
    const result = parseStrictJson('{"__proto__":{"isAdmin":true}}');
    expect(result.kind === "parsed" && Object.keys(result.value as object)).toEqual(["__proto__"]);
  });

  it("says empty, too long and too deep", () => {
    expect(problemOf(" \n")).toBe("the reply is empty");
    expect(problemOf(`"${"a".repeat(1_000_000)}"`)).toBe("the reply is longer than 1000000 characters");
    expect(problemOf("[".repeat(64) + "]".repeat(64))).toBeNull();
    expect(problemOf("[".repeat(65) + "]".repeat(65))).toBe("the reply is nested deeper than 64 levels");
    expect(problemOf("[".repeat(500_000))).toBe(incomplete);
    expect(problemOf("[".repeat(499_999) + "]".repeat(499_999))).toBe("the reply is nested deeper than 64 levels");
  });

  it("never repeats a long text of the model", () => {
    const key = "k".repeat(10_000);
    expect(problemOf(`{"${key}":1,"${key}":2}`)?.length).toBeLessThan(120);
    expect(problemOf(`[${"9".repeat(10_000)}]`)?.length).toBeLessThan(120);
  });
});
