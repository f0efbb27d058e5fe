import { exactOf, negated, times } from "./exact.ts";
import type { FieldUnit, Quantity, Scale } from "./quantity.ts";

/** A number that stands in a text, with its place there. */
export interface FoundNumber {
  readonly quantity: Quantity;
  /** From and to, in UTF-16 code units. */
  readonly from: number;
  readonly to: number;
}

/**
 * Every number of a text as people write them, with currency, `%` and `thousand`, `million` or `billion` beside it. Brackets around a
 * number make it negative. One that can be read in two ways, such as `15.500`, is left out unless it is told how numbers are written.
 * @example
 * numbersIn("Sales were $ 1,452.4 million.")[0]?.quantity.scale; // "million"
 */
export function numbersIn(text: string, written?: FieldUnit["written"]): readonly FoundNumber[] {
  return [...text.matchAll(number)].flatMap((match) => {
    const { before = "", body = "", after = "", word, short } = match.groups ?? {};
    const read = plainDecimal(body, written);
    const unit = unitOf(before, after);
    // `5m` are metres as well as millions; behind a currency they are millions.
    if (read === undefined || (short !== undefined && unit.length !== 3)) return [];
    const isNegative = /[(\-\u2212]/.test(before) && isSigned({ before, after, text, from: match.index });
    const value = isNegative ? negated(read) : read;
    const quantity = { value, unit, scale: scaleOf(word ?? short) };
    return [{ quantity, from: match.index, to: match.index + match[0].trimEnd().length }];
  });
}

/** Reads a text that is one number and nothing else; `undefined` where it is none, several, or one of two. */
export function readNumber(text: string, written?: FieldUnit["written"]): Quantity | undefined {
  const found = numbersIn(text, written);
  const [only] = found;
  const rest = only === undefined ? text : text.slice(0, only.from) + text.slice(only.to);
  return found.length === 1 && /^[\s*)]*$/.test(rest) ? only?.quantity : undefined;
}

// A number is no part of a word, an id such as `dev-2004` or a longer number.
const number =
  /(?<![\p{L}\p{N}_.,/@#]|\p{L}\p{N}{0,8}(?:-\p{N}{1,8}){0,3}-)(?<before>(?:(?:(?:US|AU?|CA?|HK|NZ|S)?\$|[(\u20ac\u00a3\u00a5\-\u2212])\s{0,4}){0,4})(?<body>(?:\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,]\d+)?|\.\d+)(?<after>\s{0,4}\)?\s?%?\)?)(?:\s(?<word>thousands?|millions?|billions?)\b|(?<short>bn|m|k)\b)?(?![\p{L}\p{N}_]|[.,]\d)/giu;

const currencies: readonly (readonly [RegExp, string])[] = [
  [/AU?\$/i, "AUD"],
  [/CA?\$/i, "CAD"],
  [/HK\$/i, "HKD"],
  [/NZ\$/i, "NZD"],
  [/(?<!U)S\$/i, "SGD"],
  [/\$/, "USD"],
  [/\u20ac/, "EUR"],
  [/\u00a3/, "GBP"],
  [/\u00a5/, "JPY"],
];
const shortScales: Readonly<Record<string, Scale>> = { k: "thousand", m: "million", bn: "billion" };

function scaleOf(word: string | undefined): Scale {
  const lower = word?.toLowerCase() ?? "one";
  return shortScales[lower] ?? (lower.replace(/s$/, "") as Scale); // one of the words of the pattern
}

function unitOf(before: string, after: string): string {
  if (after.includes("%")) return "percent";
  return currencies.find(([sign]) => sign.test(before))?.[1] ?? "";
}

/** A bracket counts where it closes behind the number; a hyphen where it stands at the number and joins no two, as in `2018-2019`. */
function isSigned({ before, after, text, from }: { before: string; after: string; text: string; from: number }): boolean {
  if (before.includes("(")) return after.includes(")");
  return !/[-\u2212]\s/.test(before) && !/[\p{L}\p{N})]$/u.test(text.slice(Math.max(0, from - 2), from));
}

function plainDecimal(body: string, written: FieldUnit["written"]): ReturnType<typeof exactOf> {
  // `15.500` is fifteen and a half or fifteen thousand; a group never begins with a zero.
  if (written === undefined && /^[1-9]\d{0,2}\.\d{3}$/.test(body)) return undefined;
  const [group, point] = written === "german" ? [".", ","] : [",", "."];
  const form = new RegExp(`^(?:\\d{1,3}(?:\\${group}\\d{3})+|\\d+)?(?:\\${point}\\d+)?$`);
  return form.test(body) ? exactOf(body.replaceAll(group, "").replace(point, ".")) : undefined;
}

/** A field's number in the unit that its query declares; `undefined` where it is none. */
export function fieldQuantity({
  value,
  row,
  unit,
}: {
  value: unknown;
  row: Readonly<Record<string, unknown>>;
  unit: FieldUnit | undefined;
}): Quantity | undefined {
  const read = typeof value === "string" ? readField(value, unit) : typeof value === "number" ? plainQuantity(value) : undefined;
  if (read === undefined) return undefined;
  const declared = typeof unit?.unit === "object" ? row[unit.unit.field] : unit?.unit;
  if (typeof unit?.unit === "object" && typeof declared !== "string") return undefined;
  const named = {
    ...read,
    unit: read.unit || String(declared ?? ""),
    scale: read.scale === "one" ? (unit?.scale ?? "one") : read.scale,
  };
  // A percentage is of no scale, whatever the rest of its table is in.
  const scaled: Quantity = named.unit === "percent" ? { ...named, scale: "one" } : named;
  return unit?.minor === true
    ? { ...scaled, value: times(scaled.value, { numerator: 1n, denominator: 10n ** BigInt(minorDigits(scaled.unit)) }) }
    : scaled;
}

function readField(text: string, unit: FieldUnit | undefined): Quantity | undefined {
  if (unit !== undefined && unit.written === undefined) return plainQuantity(text);
  // A dash in a table of numbers is nothing.
  if (unit?.written !== undefined && /^[\s$\u20ac\u00a3]*[-\u2013\u2014\u2212][\s\-\u2013\u2014%]*$/.test(text))
    return plainQuantity(0);
  return readNumber(text, unit?.written);
}

function plainQuantity(value: string | number): Quantity | undefined {
  const exact = exactOf(value);
  return exact === undefined ? undefined : { value: exact, unit: "", scale: "one" };
}

const withoutMinor: ReadonlySet<string> = new Set(["JPY", "KRW", "VND", "CLP", "ISK", "UGX", "XAF", "XOF", "XPF", "PYG", "RWF"]);
const inThousandths: ReadonlySet<string> = new Set(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]);

/** How many digits a currency has behind the point, after ISO 4217. */
export function minorDigits(currency: string): number {
  return withoutMinor.has(currency) ? 0 : inThousandths.has(currency) ? 3 : 2;
}
