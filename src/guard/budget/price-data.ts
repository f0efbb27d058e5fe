import type { PriceTable } from "./price-table.ts";

/** Dollars a million tokens as millionths. */
const usd = (input: number, cached: number, cacheWrite: number, output: number) => ({
  input: Math.round(input * 1_000_000),
  cached: Math.round(cached * 1_000_000),
  cacheWrite: Math.round(cacheWrite * 1_000_000),
  output: Math.round(output * 1_000_000),
});

/**
 * Prices of models by their pinned ids, as their providers' price pages had them on the day of `checked`: OpenAI's "Pricing" (a cache is
 * written for the price of input) and Anthropic's "Pricing" (a cache for five minutes). Other models and newer prices go into the file
 * of COUNTERSIGN_PRICES; a line here is never changed, a new price is a new line with the day from which it holds.
 */
export const shippedPrices: PriceTable = {
  version: "2025-12",
  currency: "USD",
  checked: "2025-12-01",
  prices: [
    { model: "openai/gpt-5-2025-08-07", from: "2025-08-07", ...usd(1.25, 0.125, 1.25, 10) },
    { model: "openai/gpt-5-mini-2025-08-07", from: "2025-08-07", ...usd(0.25, 0.025, 0.25, 2) },
    { model: "openai/gpt-5-nano-2025-08-07", from: "2025-08-07", ...usd(0.05, 0.005, 0.05, 0.4) },
    { model: "openai/gpt-4.1-2025-04-14", from: "2025-04-14", ...usd(2, 0.5, 2, 8) },
    { model: "openai/gpt-4.1-mini-2025-04-14", from: "2025-04-14", ...usd(0.4, 0.1, 0.4, 1.6) },
    { model: "openai/gpt-4.1-nano-2025-04-14", from: "2025-04-14", ...usd(0.1, 0.025, 0.1, 0.4) },
    { model: "openai/gpt-4o-2024-08-06", from: "2024-10-01", ...usd(2.5, 1.25, 2.5, 10) },
    { model: "openai/gpt-4o-2024-11-20", from: "2024-11-20", ...usd(2.5, 1.25, 2.5, 10) },
    { model: "openai/gpt-4o-mini-2024-07-18", from: "2024-10-01", ...usd(0.15, 0.075, 0.15, 0.6) },
    { model: "openai/o3-2025-04-16", from: "2025-06-10", ...usd(2, 0.5, 2, 8) },
    { model: "openai/o4-mini-2025-04-16", from: "2025-04-16", ...usd(1.1, 0.275, 1.1, 4.4) },
    {
      model: "anthropic/claude-sonnet-4-5-20250929",
      from: "2025-09-29",
      ...usd(3, 0.3, 3.75, 15),
      long: { above: 200_000, ...usd(6, 0.6, 7.5, 22.5) },
    },
    {
      model: "anthropic/claude-sonnet-4-20250514",
      from: "2025-08-12",
      ...usd(3, 0.3, 3.75, 15),
      long: { above: 200_000, ...usd(6, 0.6, 7.5, 22.5) },
    },
    { model: "anthropic/claude-haiku-4-5-20251001", from: "2025-10-15", ...usd(1, 0.1, 1.25, 5) },
    { model: "anthropic/claude-opus-4-1-20250805", from: "2025-08-05", ...usd(15, 1.5, 18.75, 75) },
    { model: "anthropic/claude-opus-4-5-20251101", from: "2025-11-24", ...usd(5, 0.5, 6.25, 25) },
  ],
};
