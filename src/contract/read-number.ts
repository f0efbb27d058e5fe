import { besideNumber } from "./beside-number.ts";
import { currencyOfSign, isDollar, minorDigits } from "./currency.ts";
import { exactOf, negated, times } from "./exact.ts";
import type { FieldUnit, Quantity, Scale } from "./quantity.ts";

/** A number that stands in a text, with its place there. */
export interface FoundNumber {
  readonly quantity: Quantity;
  /** False where something beside it makes it another amount that is not read, such as `R$` or `trillion`; then it is no operand. */
  readonly isClear: boolean;
  /** From and to, in UTF-16 code units. */
  readonly from: number;
  readonly to: number;
}

/**
 * Every number of a text as people write them, with a currency on either side, `%`, and `thousand`, `million` or `billion` behind it. Brackets
 * around a number make it negative. One that can be read in two ways, such as `15.500`, is left out unless it is told how numbers are written;
 * a comma before three digits, as in `15,500`, is taken for English.
 * @example
 * numbersIn("Sales were $ 1,452.4 million.")[0]?.quantity.scale; // "million"
 */
export function numbersIn(text: string, written?: FieldUnit["written"]): readonly FoundNumber[] {
  return [...text.matchAll(number)].flatMap((match) => {
    const { before = "", body = "", after = "", word, short } = match.groups ?? {};
    const read = plainDecimal(body, written);
    const sign = currencyOfSign(before) ?? "";
    // `5m` are metres as well as millions; behind a currency they are millions.
    if (read === undefined || (short !== undefined && (sign === "" || after.includes("%")))) return [];
    const isNegative = /[(\-\u2212]/.test(before) && isSigned({ before, after, text, from: match.index });
    const value = isNegative ? negated(read) : read;
    const place = { from: match.index, to: match.index + match[0].trimEnd().length };
    const beside = after.includes("%")
      ? { unit: "percent", isClear: true, ...place }
      : besideNumber({ text, ...place, sign: { unit: sign, isBare: /(?<![A-Z])\$/i.test(before) } });
    const { unit, ...found } = beside;
    return [{ quantity: { value, unit, scale: scaleOf(word ?? short) }, ...found }];
  });
}

/** Reads a text that is one number and nothing else; `undefined` where it is none, several, or one of two. */
export function readNumber(text: string, written?: FieldUnit["written"]): Quantity | undefined {
  const found = numbersIn(text, written);
  const [only] = found;
  if (only === undefined || found.length > 1 || !only.isClear) return undefined;
  // A star behind a number leads to a footnote; one before it covers digits.
  return /^\s*$/.test(text.slice(0, only.from)) && /^[\s*)]*$/.test(text.slice(only.to)) ? only.quantity : undefined;
}

// A number is no part of a word, an id such as `dev-2004` or a longer number.
const number =
  /(?<![\p{L}\p{N}_.,/@#]|\p{L}\p{N}{0,8}(?:-\p{N}{1,8}){0,3}-)(?<before>(?:(?:(?:US|AU?|CA?|HK|NZ|S)?\$|[(\u20ac\u00a3\u00a5\-\u2212])\s{0,4}){0,4})(?<body>(?:\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,]\d+)?|\.\d+)(?<after>\s{0,4}\)?\s?%?\)?)(?:\s(?<word>thousands?|millions?|billions?)\b|(?<short>bn|m|k)\b)?(?![\p{L}\p{N}_]|[.,]\d)/giu;

const shortScales: Readonly<Record<string, Scale>> = { k: "thousand", m: "million", bn: "billion" };

function scaleOf(word: string | undefined): Scale {
  const lower = word?.toLowerCase() ?? "one";
  return shortScales[lower] ?? (lower.replace(/s$/, "") as Scale); // one of the words of the pattern
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
  const form = new RegExp(`^(?:[1-9]\\d{0,2}(?:\\${group}\\d{3})+|\\d+)?(?:\\${point}\\d+)?$`);
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
  const unitName = String(declared ?? "");
  const named = {
    ...read,
    // A bare `$` is the dollar of its column.
    unit: read.unit === "" || (read.unit === "USD" && isDollar(unitName) && !/US/i.test(String(value))) ? unitName : read.unit,
    scale: read.scale === "one" ? (unit?.scale ?? "one") : read.scale,
  };
  // A percentage is of no scale, whatever the rest of its table is in.
  const scaled: Quantity = named.unit === "percent" ? { ...named, scale: "one" } : named;
  return unit?.minor === true ? fromMinor(scaled) : scaled;
}

/** `undefined` for a unit that is no currency: nobody knows how small its smallest one is. */
function fromMinor({ value, unit, scale }: Quantity): Quantity | undefined {
  const digits = minorDigits(unit);
  if (digits === undefined) return undefined;
  return { value: times(value, { numerator: 1n, denominator: 10n ** BigInt(digits) }), unit: unit.toUpperCase(), scale };
}

function readField(text: string, unit: FieldUnit | undefined): Quantity | undefined {
  if (unit !== undefined && unit.written === undefined) return plainQuantity(text);
  // A dash in a table of numbers is nothing.
  if (unit?.written !== undefined && /^[\s$\u20ac\u00a3]*[-\u2013\u2014\u2212][\s\-\u2013\u2014%]*$/.test(text))
    return plainQuantity(0);
  return readNumber(text, unit?.written);
}

/** A number that no double holds to the unit is no exact one; digits as text are. */
function plainQuantity(value: string | number): Quantity | undefined {
  if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;
  const exact = exactOf(value);
  return exact === undefined ? undefined : { value: exact, unit: "", scale: "one" };
}
