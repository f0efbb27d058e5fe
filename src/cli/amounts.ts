import { CountersignError } from "../contract/errors.ts";

/** Reads an amount of money such as `12.50`, as millionths. Throws `bad_request`. */
export function money(text: string): number {
  const read = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text);
  if (read === null) throw new CountersignError("bad_request", "money is written as 12.50, with six decimals at most");
  const [, whole = "0", decimals = ""] = read;
  return Number(whole) * 1_000_000 + Number(decimals.padEnd(6, "0"));
}

/** Reads a whole number from 0 on. Throws `bad_request`. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CountersignError("bad_request", "tokens and requests are whole numbers");
  return Number(text);
}

/** Reads the whole number of an option, 1 to `most`. Throws `bad_request`, naming the option. */
export function wholeOf(option: string, text: string, most: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= most) return value;
  throw new CountersignError("bad_request", `\`${option}\` is a whole number from 1 to ${most}`);
}

/** Reads a day such as `2026-03-31`. Throws `bad_request`. */
export function dayOf(text: string): string {
  const at = Date.parse(text);
  // A day that the month does not have is read as one of the next.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text)
    throw new CountersignError("bad_request", "a day is written as 2026-03-31");
  return text;
}

/** Writes millionths as money, with as many decimals as say something. */
export function moneyWords(micros: number): string {
  return `$${(micros / 1_000_000).toFixed(Math.abs(micros) < 1_000_000 ? 6 : 2)}`;
}
