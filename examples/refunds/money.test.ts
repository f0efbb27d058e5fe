import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bandLimits, bandOf, mayAskMinor, riskOf } from "./bands.ts";
import { currencies, formatMoney, statedAmounts } from "./money.ts";

const money = fc.record({ minor: fc.integer({ min: 0, max: 999_999_999 }), currency: fc.constantFrom(...currencies) });

describe("money", () => {
  it("is written and read back without loss, whatever the amount and the currency", () => {
    fc.assert(
      fc.property(money, (one) => {
        expect(statedAmounts(`refund ${formatMoney(one)} please`)).toEqual([one]);
      }),
    );
  });

  it.each([
    [100_000, "GBP", "1,000.00 GBP"],
    [5, "EUR", "0.05 EUR"],
    [1_234_567, "JPY", "1,234,567 JPY"],
    [-4_550, "GBP", "-45.50 GBP"],
  ] as const)("of %i minor units in %s is %s", (minor, currency, text) => {
    expect(formatMoney({ minor, currency })).toBe(text);
  });

  it("is never a fraction", () => {
    expect(() => formatMoney({ minor: 10.5, currency: "GBP" })).toThrow("whole number");
  });

  it.each([
    ["£10", [{ minor: 1_000, currency: "GBP" }]],
    [
      "10 pounds and 2.50 EUR.",
      [
        { minor: 1_000, currency: "GBP" },
        { minor: 250, currency: "EUR" },
      ],
    ],
    ["¥15,000,", [{ minor: 15_000, currency: "JPY" }]],
    ["1.500 euro", ["unclear"]],
    ["1,5 EUR", ["unclear"]],
    ["€1.5", ["unclear"]],
    ["12.50 JPY", ["unclear"]],
    ["ord-1001 EUR, line 2, 3 days ago", []],
  ])("that `%s` states is %j", (text, expected) => {
    expect(statedAmounts(text)).toEqual(expected);
  });
});

describe("bands", () => {
  it.each([
    [10_000, "small", "low"],
    [10_001, "medium", "medium"],
    [100_000, "medium", "medium"],
    [100_001, "large", "high"],
  ] as const)("of %i minor units of GBP: %s, which is risk %s", (minor, band, risk) => {
    expect(bandOf({ minor, currency: "GBP" })).toBe(band);
    expect(riskOf({ minor, currency: "GBP" })).toBe(risk);
  });

  it("never let a larger amount be of less risk, nor anybody ask for more than the cap", () => {
    const order = ["low", "medium", "high"];
    fc.assert(
      fc.property(money, fc.integer({ min: 0, max: 1_000_000 }), ({ minor, currency }, more) => {
        expect(order.indexOf(riskOf({ minor: minor + more, currency }))).toBeGreaterThanOrEqual(
          order.indexOf(riskOf({ minor, currency })),
        );
      }),
    );
    for (const currency of currencies) {
      expect(mayAskMinor(["support", "support-lead", "owner"], currency)).toBe(bandLimits[currency].cap);
      expect(mayAskMinor(["support"], currency)).toBe(bandLimits[currency].medium);
      expect(mayAskMinor(["finance", "approver"], currency)).toBe(0);
    }
  });
});
