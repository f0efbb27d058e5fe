/** An exact number: a fraction in lowest terms with a positive denominator. Nothing is rounded until `rounded` is asked to. */
export interface Exact {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Digits that a number may have before it is refused; more is no amount, and would cost time that nobody agreed to. */
const mostDigits = 400;

/**
 * Reads a plain decimal, such as `-12.50` or `1e3`, or a number as JavaScript writes it; `undefined` for anything else.
 * @example
 * exactOf("0.1")?.denominator === 10n; // true
 */
export function exactOf(value: string | number | bigint): Exact | undefined {
  if (typeof value === "bigint") return { numerator: value, denominator: 1n };
  const [, sign, whole = "", part = "", power = "0"] = plain.exec(String(value)) ?? [];
  const digits = whole + part;
  const places = part.length - Number(power);
  if (sign === undefined || digits === "" || digits.length > mostDigits || Math.abs(places) > mostDigits) return undefined;
  const numerator = BigInt(sign + digits);
  return places >= 0
    ? fraction(numerator, 10n ** BigInt(places))
    : { numerator: numerator * 10n ** BigInt(-places), denominator: 1n };
}

const plain = /^([+-]?)(\d*)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/** One number plus another, exactly. */
export function plus(a: Exact, b: Exact): Exact {
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

/** One number less another, exactly. */
export function minus(a: Exact, b: Exact): Exact {
  return plus(a, negated(b));
}

/** One number times another, exactly. */
export function times(a: Exact, b: Exact): Exact {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** One number through another, exactly; `undefined` where the other is zero. */
export function through(a: Exact, b: Exact): Exact | undefined {
  return b.numerator === 0n ? undefined : fraction(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** A number with the other sign. */
export function negated({ numerator, denominator }: Exact): Exact {
  return { numerator: -numerator, denominator };
}

/** Below zero, zero or above it, as the first is less than, equal to or more than the second. */
export function compare(a: Exact, b: Exact): -1 | 0 | 1 {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** How a half is rounded: away from zero, as invoices do, or to the even neighbour, as banks do. */
export type Rounding = "half_up" | "half_even";

/** Rounds to a number of digits behind the point. */
export function rounded({ numerator, denominator }: Exact, digits: number, rounding: Rounding = "half_up"): Exact {
  const factor = 10n ** BigInt(digits);
  const sign = numerator < 0n ? -1n : 1n;
  const scaled = numerator * sign * factor;
  const whole = scaled / denominator;
  const twice = (scaled % denominator) * 2n;
  const goesUp = twice > denominator || (twice === denominator && (rounding === "half_up" || whole % 2n === 1n));
  return fraction(sign * (goesUp ? whole + 1n : whole), factor);
}

/** A number in decimal digits, such as `-12.5`; rounded to so many digits where they are named, else `undefined` where it has no end. */
export function decimalText(value: Exact, digits?: number): string | undefined {
  const { numerator, denominator } = digits === undefined ? value : rounded(value, digits);
  const places = digits ?? placesOf(denominator);
  if (places === undefined) return undefined;
  const scaled = (numerator < 0n ? -numerator : numerator) * (10n ** BigInt(places) / denominator);
  const text = scaled.toString().padStart(places + 1, "0");
  const sign = numerator < 0n ? "-" : "";
  return places === 0 ? sign + text : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** How many digits behind the point a fraction with this denominator has; `undefined` where they have no end. */
function placesOf(denominator: bigint): number | undefined {
  let rest = denominator;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n; rest /= 2n) twos += 1;
  for (; rest % 5n === 0n; rest /= 5n) fives += 1;
  return rest === 1n ? Math.max(twos, fives) : undefined;
}

/** The number as JSON has it, the nearest where it has no end; `undefined` where JSON would lose whole units of it. */
export function numberOf(value: Exact): number | undefined {
  const text = decimalText(value) ?? decimalText(value, 15);
  const number = Number(text);
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

function fraction(numerator: bigint, denominator: bigint): Exact {
  const divisor = common(numerator < 0n ? -numerator : numerator, denominator < 0n ? -denominator : denominator);
  const sign = denominator < 0n ? -1n : 1n;
  return divisor === 0n
    ? { numerator: 0n, denominator: 1n }
    : { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor };
}

function common(a: bigint, b: bigint): bigint {
  let [one, other] = [a, b];
  while (other !== 0n) [one, other] = [other, one % other];
  return one;
}
