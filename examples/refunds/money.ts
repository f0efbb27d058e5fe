/** Money as a whole number of the currency's smallest unit; no fraction of a number ever stands for money here. */
export interface Money {
  readonly minor: number;
  readonly currency: Currency;
}

export const currencies = ["GBP", "EUR", "JPY"] as const;
export type Currency = (typeof currencies)[number];

/** How many digits a currency has behind the point. */
const digitsOf: Readonly<Record<Currency, number>> = { GBP: 2, EUR: 2, JPY: 0 };

/** Writes an amount for people, from its digits, such as `1,000.00 GBP`. Throws where `minor` is no whole number. */
export function formatMoney({ minor, currency }: Money): string {
  if (!Number.isSafeInteger(minor)) throw new Error("an amount is a whole number of minor units");
  const digits = digitsOf[currency];
  const text = String(Math.abs(minor)).padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(?:\d{3})+$)/g, ",");
  const rest = digits === 0 ? "" : `.${text.slice(-digits)}`;
  return `${minor < 0 ? "-" : ""}${whole}${rest} ${currency}`;
}

const signs: Readonly<Record<string, Currency>> = { "£": "GBP", "€": "EUR", "¥": "JPY" };
const words: readonly (readonly [RegExp, Currency])[] = [
  [/^(gbp|pounds?)$/i, "GBP"],
  [/^(eur|euros?)$/i, "EUR"],
  [/^(jpy|yen)$/i, "JPY"],
];
/** A number with a currency on one side. Letters before a number, as in `ord-1001`, make it none. */
const stated = /([£€¥])\s?(\d[\d.,]*)|(?<![\w.,-])(\d[\d.,]*)\s?(gbp|eur|jpy|pounds?|euros?|yen)\b/gi;

/** The amounts that a text states, in order. `unclear` for a number that can be read in two ways, such as `1.500` or `1,5`. */
export function statedAmounts(text: string): readonly (Money | "unclear")[] {
  return [...text.matchAll(stated)].map(([, sign, afterSign, beforeWord, word]) => {
    const currency = sign === undefined ? words.find(([form]) => form.test(word ?? ""))?.[1] : signs[sign];
    const minor = currency === undefined ? null : minorOf(afterSign ?? beforeWord ?? "", currency);
    return minor === null || currency === undefined ? "unclear" : { minor, currency };
  });
}

/** Commas between thousands and a point before the smallest unit, as the shop's own prices are written; nothing else is guessed. */
function minorOf(written: string, currency: Currency): number | null {
  const number = written.replace(/[.,]+$/, "");
  if (!/^(?:\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.\d{2})?$/.test(number)) return null;
  const [whole = "", cents = ""] = number.replaceAll(",", "").split(".");
  if (cents !== "" && digitsOf[currency] === 0) return null;
  const minor = Number(`${whole}${cents.padEnd(digitsOf[currency], "0")}`);
  return Number.isSafeInteger(minor) ? minor : null;
}
