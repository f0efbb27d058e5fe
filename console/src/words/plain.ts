import type { Json } from "../../../src/contract/json.ts";
import { onePpm } from "../../../src/contract/words.ts";

const numbers = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 20 });
const shares = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const percents = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat("en-GB", {
  style: "currency",
  currency: "USD",
  currencyDisplay: "code",
  maximumFractionDigits: 2,
});
const cents = new Intl.NumberFormat("en-GB", {
  style: "currency",
  currency: "USD",
  currencyDisplay: "code",
  maximumFractionDigits: 6,
});

/** A value as a person reads it. Text stays as it is; what is nested is written as JSON. */
export function plainValue(value: Json): string {
  if (value === null) return "none";
  if (typeof value === "string") return value === "" ? "empty text" : value;
  if (typeof value === "number") return numbers.format(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return JSON.stringify(value);
}

/** The name of a field or a check as words: `device_state` is "Device state". */
export function plainName(name: string): string {
  const words = name.replaceAll(/[_.-]+/g, " ").trim();
  return words === "" ? name : `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

/** A share in parts per million as a number from 0 to 1. */
export function plainShare(ppm: number): string {
  return shares.format(ppm / onePpm);
}

/** A share from 0 to 1 in per cent. */
export function plainPercent(share: number): string {
  return percents.format(share);
}

/** Millionths of a dollar as an amount with its currency. */
export function plainMoney(micros: number): string {
  return (Math.abs(micros) < 10_000 && micros !== 0 ? cents : dollars).format(micros / 1_000_000);
}

/** A count as a number; what is beyond ten thousand is not counted out. */
export function plainCount(count: number): string {
  return count > 10_000 ? "over 10,000" : numbers.format(count);
}

/** A count with its noun: `1 field`, `2 fields`. */
export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${plainCount(count)} ${count === 1 ? noun : many}`;
}
