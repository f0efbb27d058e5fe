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
    ["Paid EUR 100 and GBP 50", ["100 EUR", "50 GBP"]],
    ["100 EUR, 1.5 million USD, 20 \u20ac and 5 euros", ["100 EUR", "1.5 USD million", "20 EUR", "5 EUR"]],
    [
      "CA$ 5, C$5, AU$ 6, A$6, US$7, S$8, HK$9, NZ$ 10",
      ["5 CAD", "5 CAD", "6 AUD", "6 AUD", "7 USD", "8 SGD", "9 HKD", "10 NZD"],
    ],
    ["CAD $5 and $ 6 NZD", ["5 CAD", "6 NZD"]],
    ["EUR (12.6) and EUR -3", ["-12.6 EUR", "-3 EUR"]],
    ["0,750 or 0,075", []],
    ["15,500 and 1,234,567", ["15500", "1234567"]],
    ["EUR 5% of it", ["5 percent"]],
  ])("%s", (text, expected) => {
    expect(numbersIn(text).map(({ quantity }) => inWords(quantity))).toEqual(expected);
  });

  test.each([
    ...[
      "$ 1.5 trillion",
      "$ 2 mn",
      "2 Mio. Euro",
      "EUR 3 Mrd",
      "$ 5 T",
      "EUR 5 thousand million",
      "5 EUR million",
      "USD million 5",
      "$5-million",
    ],
    ...[
      "R$ 5",
      "NT$ 5",
      "\u20b9 5",
      "5 \u20bd",
      "5 R$",
      "kr 5",
      "5 kr",
      "Rs. 500",
      "TEUR 5",
      "XYZ 500",
      "500 XYZ",
      "5 pounds",
      "5 US dollars",
    ],
    ...[
      "EUR 5 GBP",
      "\u20ac 5 USD",
      "(EUR 5)",
      "(5 EUR)",
      "(EUR 5 million)",
      "-EUR 5",
      "TOP 10",
      "****5000",
      "\u2022\u2022\u2022\u2022 1234",
    ],
  ])("that is no operand for what stands beside it: %s", (text) => {
    expect(numbersIn(text).map(({ isClear }) => isClear)).not.toContain(true);
    expect(readNumber(text)).toBeUndefined();
  });

  test.each([
    "5 items",
    "in 2019, 5 of them",
    "(5 EUR more)",
    "10 TOP",
    "5 million",
    "It is 5. The",
    "5 (five)",
    "2019 and 2020",
    "**5**",
  ])("that is one: %s", (text) => {
    expect(numbersIn(text).map(({ isClear }) => isClear)).not.toContain(false);
    expect(numbersIn(text)).not.toEqual([]);
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
    ["12.6*", "english", "12.6"],
    ["***5000", "english", undefined],
    ["* 5000", "english", undefined],
    ["0,750", "english", undefined],
    ["0.750", "german", undefined],
    ["0,750", "german", "0.75"],
    ["$ 1.5 trillion", "english", undefined],
    ["EUR 5", "english", "5 EUR"],
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
    [2 ** 53, undefined, undefined],
    ["9007199254740993", undefined, "9007199254740993"],
    [500, { unit: "BIF", minor: true }, "500 BIF"],
    [500, { unit: "kwd", minor: true }, "0.5 KWD"],
    [500, { unit: "eur", minor: true }, "5 EUR"],
    [500, { unit: "XYZ", minor: true }, undefined],
    [500, { minor: true }, undefined],
    ["$ 5", { unit: "CAD", written: "english" }, "5 CAD"],
    ["US$ 5", { unit: "CAD", written: "english" }, "5 USD"],
    ["***5000", { unit: "EUR", written: "english" }, undefined],
  ] as const)("%j in %j is %s", (value, unit, expected) => {
    expect(inWords(fieldQuantity({ value, row: { currency: "EUR" }, unit }))).toBe(expected);
  });
});
