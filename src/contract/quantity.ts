import { CountersignError } from "./errors.ts";
import { type Exact, exactOf, minus, plus, through, times } from "./exact.ts";

/** By how much a number was shortened where it was written: `1.5 million`, or a table "in thousands". */
export const scales = { one: 0, thousand: 3, million: 6, billion: 9 } as const;
export type Scale = keyof typeof scales;

/** An exact number with its unit. `percent` is one; an empty unit is a bare number, such as a ratio or a count. */
export interface Quantity {
  readonly value: Exact;
  /** A currency by its ISO 4217 code, `percent`, `days`, or a word of the author's. */
  readonly unit: string;
  readonly scale: Scale;
}

/** What is known of the numbers in a field of a record. */
export interface FieldUnit {
  /** The unit, or the field of the same row that holds it, such as a currency. */
  readonly unit?: string | { readonly field: string };
  readonly scale?: Scale;
  /** The number counts a currency's smallest unit, such as cents. */
  readonly minor?: boolean;
  /** The field is text as people write numbers: `english` is `1,234.50`, `german` is `1.234,50`. Left out, it is a plain decimal. */
  readonly written?: "english" | "german";
}

/** A number without a unit. Throws `calculation_refused` for a text that is no plain decimal. */
export function bare(value: string | number | bigint): Quantity {
  const exact = exactOf(value);
  if (exact === undefined) throw refused("it is no plain decimal");
  return { value: exact, unit: "", scale: "one" };
}

/** The sum of quantities of one unit, in the scale of the first. Throws `calculation_refused` where units differ or there is none. */
export function sumOf(all: readonly Quantity[]): Quantity {
  const [first, ...rest] = all;
  if (first === undefined) throw refused("there is nothing to add");
  return { ...first, value: rest.reduce((sum, one) => plus(sum, inScaleOf(first, one)), first.value) };
}

/** One quantity less another of the same unit, in its scale. Throws `calculation_refused` where the units differ. */
export function differenceOf(a: Quantity, b: Quantity): Quantity {
  return { ...a, value: minus(a.value, inScaleOf(a, b)) };
}

/** A product. A percentage takes its share; of two units one must be none. Throws `calculation_refused`. */
export function productOf(a: Quantity, b: Quantity): Quantity {
  const [one, other] = b.unit === "percent" ? [b, a] : [a, b];
  if (one.unit === "percent") return { ...other, value: times(other.value, asShare(one)) };
  if (one.unit !== "" && other.unit !== "") throw refused(`\`${one.unit}\` times \`${other.unit}\` is no unit`);
  const measured = one.unit === "" ? other : one;
  return { ...measured, value: times(measured.value, plainly(measured === one ? other : one)) };
}

/** A ratio: bare of one unit, else in the unit of what is divided. Throws `calculation_refused` where units differ or it divides by zero. */
export function quotientOf(a: Quantity, b: Quantity): Quantity {
  // A number of thousands through a bare count is still one of thousands.
  if (b.unit === "" && b.scale === "one") return { ...a, value: divided(a.value, b.value) };
  if (a.unit === b.unit) return { value: divided(plainly(a), plainly(b)), unit: "", scale: "one" };
  if (b.unit === "percent") return { ...a, value: divided(a.value, asShare(b)) };
  if (b.unit !== "") throw refused(`\`${a.unit}\` through \`${b.unit}\` is no unit`);
  return { ...a, value: divided(a.value, plainly(b)) };
}

/** A bare ratio as a percentage. Throws `calculation_refused` for what has a unit. */
export function percentOf(ratio: Quantity): Quantity {
  if (ratio.unit !== "") throw refused(`\`${ratio.unit}\` is no ratio`);
  return { value: times(plainly(ratio), hundred), unit: "percent", scale: "one" };
}

/** The number itself, without its scale: 1.5 million is 1500000. */
export function plainly({ value, scale }: Pick<Quantity, "value" | "scale">): Exact {
  return times(value, { numerator: 10n ** BigInt(scales[scale]), denominator: 1n });
}

/** What a calculation throws that does not work on its operands. */
export function refused(why: string): CountersignError {
  return new CountersignError("calculation_refused", `the calculation does not work on these values: ${why}`);
}

const hundred: Exact = { numerator: 100n, denominator: 1n };

function asShare({ value }: Quantity): Exact {
  return divided(value, hundred);
}

function divided(a: Exact, b: Exact): Exact {
  const result = through(a, b);
  if (result === undefined) throw refused("it divides by zero");
  return result;
}

/** The value of `other` as a number in the scale of `one`. */
function inScaleOf(one: Quantity, other: Quantity): Exact {
  if (one.unit !== other.unit)
    throw refused(`\`${one.unit || "a bare number"}\` and \`${other.unit || "a bare number"}\` differ`);
  if (one.scale === other.scale) return other.value;
  return divided(plainly(other), { numerator: 10n ** BigInt(scales[one.scale]), denominator: 1n });
}
