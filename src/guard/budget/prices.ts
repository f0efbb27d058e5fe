/**
 * What requests to models cost: a table of prices with the dates from which they hold, a file that goes before it, and whole-number
 * arithmetic. Costs are millionths of the table's currency, rounded up for each request, so that sums are rather too high than too low.
 */
import type { CallBounds } from "../../contract/budget.ts";
import { CountersignError } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type { Usage } from "../../contract/model.ts";
import { shippedPrices } from "./price-data.ts";
import { type Price, type PriceTable, priceTable, type Rates } from "./price-table.ts";

export type { Rates } from "./price-table.ts";

/** The price of a request to a model; `null` where none is known. A script costs nothing unless the table gives it a price. */
export type PriceOf = (model: string, isScripted: boolean) => Price | Rates | null;

/** What costs nothing. */
export const free: Rates = { input: 0, cached: 0, cacheWrite: 0, output: 0 };

/** Days after which prices that nobody compared are called stale. */
const staleDays = 90;

/** Prices that are in force. */
export interface Prices {
  readonly priceOf: PriceOf;
  /** As rows of the spend ledger name it. */
  readonly version: string;
  readonly currency: string;
  /** What is to be said at the start: that prices are stale; `null` where they are not. */
  readonly warning: string | null;
}

/** The table that is in force: the shipped one, and before it a file of the same form, whose text is `override`. Throws `configuration_invalid`. */
export function openPrices({ override = null, now }: { override?: string | null; now: () => number }): Prices {
  const own = override === null ? null : readTable(override);
  if (own !== null && own.currency !== shippedPrices.currency) {
    const other = shippedPrices.prices.map(({ model }) => model);
    const mixed = own.prices.length > 0 && other.length > 0;
    if (mixed) throw invalid(`its currency is ${own.currency}, that of the shipped prices ${shippedPrices.currency}`);
  }
  const lines = [...(own?.prices ?? []), ...shippedPrices.prices];
  const byModel = Map.groupBy(lines, ({ model }) => model);
  return {
    priceOf: (model, isScripted) => inForce(byModel.get(model) ?? [], now()) ?? (isScripted ? free : null),
    version: own === null ? shippedPrices.version : `${own.version}+${shippedPrices.version}`,
    currency: shippedPrices.currency,
    warning: staleness(own ?? shippedPrices, now()),
  };
}

/** Of several that hold, the one that holds since last; between equals the file's own stands first. */
function inForce(lines: readonly Price[], now: number): Price | null {
  const begun = lines.filter(({ from }) => Date.parse(from) <= now);
  return begun.reduce<Price | null>((best, line) => (best === null || line.from > best.from ? line : best), null);
}

function staleness({ version, checked }: PriceTable, now: number): string | null {
  const days = Math.floor((now - Date.parse(checked)) / 86_400_000);
  return days <= staleDays
    ? null
    : `the prices \`${version}\` were last compared with the providers' pages on ${checked}, ${days} days ago; put current ones into a file and name it by COUNTERSIGN_PRICES`;
}

function readTable(text: string): PriceTable {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid("it is no JSON");
  }
  const read = priceTable.safeParse(value);
  if (read.success) return read.data;
  throw invalid(read.error.issues.map(({ path, message }) => `/${path.join("/")}: ${message}`).join("; "));
}

function invalid(why: string): CountersignError {
  return new CountersignError("configuration_invalid", `the file of prices cannot be used: ${why}`);
}

/** What a request cost, in millionths, rounded up. A long input is billed at the rates of the long tier as a whole. */
export function costOf(of: Price | Rates, usage: Usage): number {
  const { inputTokens, cachedTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  const { input, cached, cacheWrite, output } = tierOf(of, inputTokens + cachedTokens + cacheWriteTokens);
  const products = [
    ...([
      [inputTokens, input],
      [cachedTokens, cached],
      [cacheWriteTokens, cacheWrite],
    ] as const),
    [outputTokens + reasoningTokens, output] as const,
  ];
  const sum = products.reduce((total, [tokens, rate]) => total + BigInt(tokens) * BigInt(rate), 0n);
  return Number((sum + 999_999n) / 1_000_000n);
}

/** Tokens of a request's frame that are not in what is sent, such as a provider's own words around a schema. */
const frameTokens = 1_024;

/**
 * The most that a request can take: every byte a token, written to the cache where that is dearer, at the long tier where that could be
 * reached, and a reply as long as it may be.
 */
export function worstCaseOf(
  of: Price | Rates,
  { inputBytes, maxOutputTokens }: CallBounds,
): { tokens: number; costMicros: number } {
  const inputTokens = Math.min(limits.tokensOfKind, inputBytes + frameTokens);
  const tiers = "long" in of && of.long !== undefined && inputTokens > of.long.above ? [of, of.long] : [of];
  const dearest = tiers.map((tier): number => {
    const rate = Math.max(tier.input, tier.cached, tier.cacheWrite);
    return costOf({ ...free, input: rate, output: tier.output }, usageOf(inputTokens, maxOutputTokens));
  });
  return { tokens: inputTokens + maxOutputTokens, costMicros: Math.max(...dearest) };
}

function usageOf(inputTokens: number, outputTokens: number): Usage {
  return { inputTokens, cachedTokens: 0, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 };
}

function tierOf(of: Price | Rates, inputTokens: number): Rates {
  return "long" in of && of.long !== undefined && inputTokens > of.long.above ? of.long : of;
}
