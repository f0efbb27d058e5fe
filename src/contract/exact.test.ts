import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { compare, decimalText, exactOf, minus, numberOf, plus, rounded, through, times } from "./exact.ts";

const exact = (text: string | number) => {
  const value = exactOf(text);
  if (value === undefined) throw new Error(`${text} is no number`);
  return value;
};

describe("an exact number", () => {
  test.each([
    ["0.1", "0.2", "0.3"],
    ["-1.10", "1.1", "0"],
    ["123456789012345678901234567890.1", "0.9", "123456789012345678901234567891"],
  ])("%s plus %s is %s", (a, b, sum) => {
    expect(decimalText(plus(exact(a), exact(b)))).toBe(sum);
  });

  it("keeps a third a third until it is rounded", () => {
    const third = through(exact(1), exact(3));
    if (third === undefined) throw new Error("it divides");
    expect(decimalText(third)).toBeUndefined();
    expect(decimalText(third, 2)).toBe("0.33");
    expect(decimalText(times(third, exact(3)))).toBe("1");
    expect(through(exact(1), exact("0.00"))).toBeUndefined();
  });

  test.each([
    ["2.345", 2, "half_up", "2.35"],
    ["2.345", 2, "half_even", "2.34"],
    ["-2.345", 2, "half_up", "-2.35"],
    ["2.355", 2, "half_even", "2.36"],
    ["1004.005", 2, "half_up", "1004.01"],
    ["0.5", 0, "half_even", "0"],
  ] as const)("%s rounded to %i digits, %s, is %s", (text, digits, rounding, expected) => {
    expect(decimalText(rounded(exact(text), digits, rounding), digits)).toBe(expected);
  });

  test.each(["", ".", "1,5", "0x10", "1_000", "NaN", "Infinity", "1e9999", "9".repeat(500), "1 000", "--1"])(
    "%j is none",
    (text) => {
      expect(exactOf(text)).toBeUndefined();
    },
  );

  it("is none in JSON beyond what JSON holds to the unit", () => {
    expect(numberOf(exact(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER);
    expect(numberOf(exact("9007199254740993"))).toBeUndefined();
  });

  it("goes back by the way that it came, for any two decimals", () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(12))
      .map(([digits, places]) => exact(`${digits}e-${places}`));
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(compare(minus(plus(a, b), b), a)).toBe(0);
        const quotient = through(a, b);
        if (quotient !== undefined) expect(compare(times(quotient, b), a)).toBe(0);
      }),
    );
  });
});
