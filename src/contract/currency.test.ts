import { describe, expect, test } from "vitest";
import { isCurrency, minorDigits } from "./currency.ts";

describe("a currency", () => {
  test.each([
    ["EUR", 2],
    ["jpy", 0],
    ...["BIF", "DJF", "GNF", "KMF", "VUV", "CLP", "ISK", "PYG", "RWF", "UGX", "VND", "XAF", "XOF", "XPF", "KRW"].map(
      (code) => [code, 0] as const,
    ),
    ...["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].map((code) => [code, 3] as const),
    ["XYZ", undefined],
    ["", undefined],
  ] as const)("%s has %s digits behind the point", (code, digits) => {
    expect(minorDigits(code)).toBe(digits);
  });

  test.each([
    ["CHF", true],
    ["chf", false],
    ["constructor", false],
    ["USA", false],
  ])("%s is one: %s", (text, expected) => {
    expect(isCurrency(text)).toBe(expected);
  });
});
