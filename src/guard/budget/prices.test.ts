import { describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import { shippedPrices } from "./price-data.ts";
import { costOf, free, openPrices, type Rates, worstCaseOf } from "./prices.ts";

const none = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
/** $0.10, cache read $0.01, cache write $0.125, output $0.50 a million. */
const example: Rates = { input: 100_000, cached: 10_000, cacheWrite: 125_000, output: 500_000 };
const now = () => Date.UTC(2026, 0, 15);

function table(prices: readonly object[], more: object = {}): string {
  return JSON.stringify({ version: "own-1", currency: "USD", checked: "2026-01-10", prices, ...more });
}

describe("what a request costs", () => {
  it("is $0.00075 for 6,000 tokens in and 300 out", () => {
    expect(costOf(example, { ...none, inputTokens: 6_000, outputTokens: 300 })).toBe(750);
  });

  it("is $0.01785 for ten turns that each add 300 out and 2,000 of a tool's result, all of it sent again each time", () => {
    const turns = Array.from({ length: 10 }, (_, turn) => 6_000 + turn * 2_300);
    expect(turns.reduce((sum, tokens) => sum + tokens, 0)).toBe(163_500);
    const cost = turns.map((inputTokens) => costOf(example, { ...none, inputTokens, outputTokens: 300 }));
    expect(cost.reduce((sum, one) => sum + one, 0)).toBe(17_850);
  });

  it("is about $0.0062 for the same with the beginning cached", () => {
    const cost = costOf(example, { ...none, cachedTokens: 136_800, cacheWriteTokens: 26_700, outputTokens: 3_000 });
    expect(cost).toBe(1_368 + 3_338 + 1_500 - 0);
    expect(Math.abs(cost - 6_200)).toBeLessThan(50);
  });

  it("is $0.005 more with 1,000 tokens of reasoning in each of ten turns", () => {
    const of = (reasoningTokens: number) => costOf(example, { ...none, inputTokens: 16_350, outputTokens: 300, reasoningTokens });
    expect((of(1_000) - of(0)) * 10).toBe(5_000);
  });

  it("is that of the long tier as a whole once the input of all kinds is longer", () => {
    const tiered = { model: "p/m", from: "2025-01-01", ...example, long: { above: 200_000, ...free, input: 200_000 } };
    expect(costOf(tiered, { ...none, inputTokens: 100_000, cachedTokens: 100_000 })).toBe(11_000);
    expect(costOf(tiered, { ...none, inputTokens: 100_001, cachedTokens: 100_000 })).toBe(20_001);
  });

  it("is rounded up, and exact for the largest counts that are kept", () => {
    expect(costOf(example, { ...none, cachedTokens: 1 })).toBe(1);
    const most = limits.tokensOfKind;
    expect(costOf({ ...free, input: 75_000_001 }, { ...none, inputTokens: most })).toBe(
      Number((BigInt(most) * 75_000_001n + 999_999n) / 1_000_000n),
    );
  });

  it("is never more than what was expected at the worst", () => {
    const tiered = { model: "p/m", from: "2025-01-01", ...example, long: { above: 20_000, ...example, input: 300_000 } };
    for (const inputBytes of [0, 10_000, 18_976, 18_977, 50_000]) {
      const worst = worstCaseOf(tiered, { model: "p/m", isScripted: false, inputBytes, maxOutputTokens: 500 });
      for (const kind of ["inputTokens", "cachedTokens", "cacheWriteTokens"] as const)
        for (const out of ["outputTokens", "reasoningTokens"] as const)
          expect(costOf(tiered, { ...none, [kind]: inputBytes, [out]: 500 })).toBeLessThanOrEqual(worst.costMicros);
    }
  });
});

describe("the table of prices", () => {
  const line = { model: "p/m", from: "2026-01-01", ...example };

  it("holds the newest line that has begun, of a file before the shipped ones", () => {
    const newer = { ...line, from: "2026-01-14", input: 7 };
    const later = { ...line, from: "2026-02-01", input: 9 };
    const { priceOf, version } = openPrices({ override: table([newer, line, later]), now });
    expect(priceOf("p/m", false)).toMatchObject({ input: 7 });
    expect(version).toBe(`own-1+${shippedPrices.version}`);
    const shipped = shippedPrices.prices[0];
    expect(shipped && openPrices({ now }).priceOf(shipped.model, false)).toMatchObject({ input: shipped?.input });
  });

  it("knows no price of other models, and none of scripts unless it is given one", () => {
    const { priceOf } = openPrices({ override: table([{ ...line, model: "script/paid" }]), now });
    expect(priceOf("p/other", false)).toBeNull();
    expect(priceOf("script/other", true)).toEqual(free);
    expect(priceOf("script/paid", true)).toMatchObject({ input: 100_000 });
  });

  it("says that it is stale once nobody compared it for 90 days", () => {
    expect(openPrices({ override: table([line]), now }).warning).toBeNull();
    expect(openPrices({ override: table([line], { checked: "2025-10-01" }), now }).warning).toMatch(/106 days ago/);
  });

  it.each([
    ["no JSON", "{", /no JSON/],
    ["a price that is no whole number", table([{ ...line, input: 0.5 }]), /prices\/0\/input/],
    ["a negative price", table([{ ...line, output: -1 }]), /prices\/0\/output/],
    ["a word that is not known", table([{ ...line, inptu: 1 }]), /inptu/],
    ["no day", table([{ ...line, from: "yesterday" }]), /prices\/0\/from/],
    ["another currency than the shipped prices", table([line], { currency: "EUR" }), /EUR/],
  ])("refuses a file with %s", (_, override, message) => {
    expect(() => openPrices({ override, now })).toThrow(
      expect.objectContaining({ code: "configuration_invalid", message: expect.stringMatching(message) }),
    );
  });

  it("ships lines of pinned ids, each with a day from which it holds", () => {
    for (const { model, from } of shippedPrices.prices) {
      expect(model).toMatch(/\d{4}-?\d{2}-?\d{2}$/);
      expect(from <= shippedPrices.checked).toBe(true);
    }
  });
});
