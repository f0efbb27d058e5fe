import { decimalText, rounded } from "../contract/exact.ts";
import { bare, differenceOf, percentOf, productOf, type Quantity, quotientOf, refused, sumOf } from "../contract/quantity.ts";

/**
 * Exact arithmetic for calculations: no binary fraction, no rounding until asked, and no sum of two currencies. Each throws
 * `calculation_refused` for quantities that it does not work on.
 * @example
 * quantities.round(quantities.times(quantities.of("19.5", "percent"), quantities.of("1004", "EUR")), 2); // 195.78 EUR
 */
export const quantities = {
  /** A number from its decimal digits, with a unit. */
  of: (digits: string | number | bigint, unit = ""): Quantity => ({ ...bare(digits), unit }),
  sum: (all: readonly Quantity[]): Quantity => sumOf(all),
  minus: (a: Quantity, b: Quantity): Quantity => differenceOf(a, b),
  /** A percentage takes its share. */
  times: (a: Quantity, b: Quantity): Quantity => productOf(a, b),
  through: (a: Quantity, b: Quantity): Quantity => quotientOf(a, b),
  asPercent: (ratio: Quantity): Quantity => percentOf(ratio),
  /** Halves away from zero, or to the even neighbour. */
  round: (a: Quantity, digits: number, rounding: "half_up" | "half_even" = "half_up"): Quantity => ({
    ...a,
    value: rounded(a.value, digits, rounding),
  }),
  /** The decimal digits, such as `195.78`; rounded to so many behind the point where they are named. */
  text: (a: Quantity, digits?: number): string => {
    const text = decimalText(a.value, digits);
    if (text === undefined) throw refused("its digits have no end; say to how many it is rounded");
    return text;
  },
} as const;
