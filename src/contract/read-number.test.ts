import { describe, expect, it, test } from "vitest";
import { decimalText } from "./exact.ts";
import { fieldQuantity, numbersIn, readNumber } from "./read-number.ts";

const inWords = (found: ReturnType<typeof readNumber>) =>
  found === undefined
    ? undefined
    : [decimalText(found.value), found.unit, found.scale].filter((one) => one !== "" && one !== "one").join(" ");

describe("numbers in a text", () => {
  test.each([
    ["Sales were $ 1,452.4 million in 2019.", ["1452.4 USD million", "2019"]],
    ["a loss of $(12.6), then (3.5)%", ["-12.6 USD", "-3.5 percent"]],
    ["Revenue (12.6 million) grew by 4.00%.", ["12.6 million", "4 percent"]],
    ["2018-2019", ["2018", "2019"]],
    ["Total | $   302 | (  14)", ["302 USD", "-14"]],
    ["US$6.9 million, A$3, \u20ac302m and 302m", ["6.9 USD million", "3 AUD", "302 EUR million"]],
    ["from -5 to \u22127", ["-5", "-7"]],
    ["\u20ac3.2 billion and \u00a340", ["3.2 EUR billion", "40 GBP"]],
    ["dev-2004, CVE-2024-3094, v1.2.3, 1,23,456, #12, 10.0.0.1", []],
    ["one\u2009thousand", []],
  ])("%s", (text, expected) => {
    expect(numbersIn(text).map(({ quantity }) => inWords(quantity))).toEqual(expected);
  });

  it("is found with its place", () => {
    const text = "It rose to 1,202.9, they say.";
    const [found] = numbersIn(text);
    expect(text.slice(found?.from, found?.to)).toBe("1,202.9");
  });

  test.each([
    ["15.500", undefined, undefined],
    ["15.500", "english", "15.5"],
    ["15.500", "german", "15500"],
    ["0.153", undefined, "0.153"],
    ["1.234,50", "german", "1234.5"],
    ["1.234,50", undefined, undefined],
    ["12 and 13", "english", undefined],
    ["12 pieces", "english", undefined],
    ["(12.6)", "english", "-12.6"],
  ] as const)("%s, written %s, is %s", (text, written, expected) => {
    expect(inWords(readNumber(text, written))).toBe(expected);
  });

  it("takes no longer for a hostile text than for its length", () => {
    const started = performance.now();
    for (const piece of ["1,111", "(", "$ ", "1.1", "-"]) numbersIn(piece.repeat(50_000));
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe("a field's number", () => {
  test.each([
    [12050, { unit: { field: "currency" }, minor: true }, "120.5 EUR"],
    ["15.500", { unit: "EUR" }, "15.5 EUR"],
    ["1,452.4", { unit: "USD" }, undefined],
    ["1,452.4", { unit: "USD", scale: "million", written: "english" }, "1452.4 USD million"],
    ["4.00%", { unit: "USD", scale: "million", written: "english" }, "4 percent"],
    ["- -", { written: "english" }, "0"],
    ["-", undefined, undefined],
    [7, { unit: { field: "nothing" } }, undefined],
    [true, undefined, undefined],
  ] as const)("%j in %j is %s", (value, unit, expected) => {
    expect(inWords(fieldQuantity({ value, row: { currency: "EUR" }, unit }))).toBe(expected);
  });
});
