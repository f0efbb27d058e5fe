import { statedAmounts } from "../money.ts";
import type { LineRow, RefundReason } from "./refund-rule.ts";

const everything = /\b(everything|whole order|entire order|all (of it|lines|items))\b/i;
const numbered = /\b(?:line|item)s?\s+(\d{1,3}(?:\s*(?:,|and|&)\s*\d{1,3})*)\b/gi;

const reasonWords: Readonly<Record<RefundReason, RegExp>> = {
  changed_mind: /\bchanged (his|her|their|my|its) mind\b|\b(do|does)(n't| not) (want|like) (it|them)\b|\bno longer wants?\b/i,
  damaged: /\b(damaged|broken|defective|cracked|faulty|smashed)\b|\bstopped working\b/i,
  not_as_described: /\bnot as (described|shown)\b|\bwrong (colour|size|model|item)\b/i,
  not_received: /\bnever (arrived|came)\b|\bnot (arrived|received)\b|\blost in the post\b|\bhasn't (arrived|come)\b/i,
  cancelled: /\bcancell?ed\b/i,
};

/**
 * The lines that a request names without leaving a choice: by number, all of them, by the products' names, or the only one there is.
 * `null` where there is a choice, or where a line is named that the order does not have.
 */
export function resolveLines<T extends Pick<LineRow, "line" | "product">>(
  text: string,
  lines: readonly T[],
): readonly T[] | null {
  const numbers = [...text.matchAll(numbered)].flatMap(([, list = ""]) => (list.match(/\d+/g) ?? []).map(Number));
  if (numbers.length > 0) {
    const found = lines.filter(({ line }) => numbers.includes(line));
    return found.length === new Set(numbers).size ? found : null;
  }
  if (lines.length === 1 || everything.test(text)) return lines.length === 0 ? null : lines;
  const said = text.toLowerCase();
  const named = lines.filter(({ product }) => said.includes(product.toLowerCase()));
  return named.length === 0 ? null : named;
}

/** The one reason that a request states in plain words, or `null` where it states none or several. */
export function resolveReason(text: string): RefundReason | null {
  const stated = Object.entries(reasonWords).filter(([, words]) => words.test(text));
  // Keys of the table above.
  return stated.length === 1 ? ((stated[0]?.[0] as RefundReason | undefined) ?? null) : null;
}

/**
 * What each line is to be refunded, in minor units: all that is left of it where the request states no amount; the amount it states for
 * its only line; `null` where an amount is unclear, in another currency, more than is left, or not one for each line.
 */
export function resolveAmounts<T extends Pick<LineRow, "refundable_minor" | "currency">>(
  text: string,
  lines: readonly T[],
): readonly { readonly line: T; readonly amountMinor: number; readonly isStated: boolean }[] | null {
  const stated = statedAmounts(text);
  if (stated.length === 0) return lines.map((line) => ({ line, amountMinor: line.refundable_minor, isStated: false }));
  const [line, ...others] = lines;
  const [amount, ...more] = stated;
  if (line === undefined || amount === undefined || amount === "unclear") return null;
  if (others.length === 0 && more.length === 0) {
    const fits = amount.currency === line.currency && amount.minor > 0 && amount.minor <= line.refundable_minor;
    return fits ? [{ line, amountMinor: amount.minor, isStated: true }] : null;
  }
  return areThoseOf(stated, lines)
    ? lines.map((one) => ({ line: one, amountMinor: one.refundable_minor, isStated: false }))
    : null;
}

/** Several amounts are taken only as what stands in the order anyway, one for each line. */
function areThoseOf(
  stated: ReturnType<typeof statedAmounts>,
  lines: readonly Pick<LineRow, "refundable_minor" | "currency">[],
): boolean {
  const said = stated.map((one) => (one === "unclear" ? "unclear" : `${one.currency} ${one.minor}`)).sort();
  const known = lines.map(({ currency, refundable_minor }) => `${currency} ${refundable_minor}`).sort();
  return said.length === known.length && said.every((one, place) => one === known[place]);
}
