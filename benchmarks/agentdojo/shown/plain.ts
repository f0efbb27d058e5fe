import type { Json } from "../../../src/contract/json.ts";

const numbers = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 20 });

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

/** A count with its noun: `1 field`, `2 fields`. */
export function counted(count: number, noun: string): string {
  return `${count > 10_000 ? "over 10,000" : numbers.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}
