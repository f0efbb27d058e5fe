import { compare, type Exact, exactOf, times } from "../../contract/exact.ts";
import { type Scale, scales } from "../../contract/quantity.ts";
import { type FoundNumber, numbersIn } from "../../contract/read-number.ts";
import { withoutSpans } from "./without-spans.ts";

/** A number in a text with what it counts, as far as that is said. */
export interface Measure {
  readonly value: Exact;
  /** Such as `EUR`, `percent` or `day`; empty where nothing is said, or a word that is no measure. */
  readonly unit: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Every number of a text, in figures and in English words, with its currency, percent sign or measure; but for those that something beside
 * them makes another amount, which is not read.
 */
export function measuresIn(text: string): readonly Measure[] {
  const figures = inFigures(text);
  return [...figures, ...inWords(withoutSpans(text, figures))].toSorted((one, other) => one.from - other.from);
}

/** Says whether a number bears out another: the same value, and no other unit. */
export function bearsOutMeasure(known: Pick<Measure, "value" | "unit">, said: Pick<Measure, "value" | "unit">): boolean {
  const isUnitSame = said.unit === "" || known.unit === "" || said.unit === known.unit;
  return isUnitSame && compare(known.value, said.value) === 0;
}

/** A value brought to single units. */
export function inOnes(value: Exact, scale: Scale): Exact {
  return times(value, { numerator: 10n ** BigInt(scales[scale]), denominator: 1n });
}

const named: Readonly<Record<string, string>> = {
  ...{ percent: "percent", "per cent": "percent", eur: "EUR", euro: "EUR", usd: "USD", dollar: "USD", gbp: "GBP", pound: "GBP" },
  ...{ chf: "CHF", jpy: "JPY", yen: "JPY", second: "second", sec: "second", minute: "minute", min: "minute", hour: "hour" },
  ...{ h: "hour", day: "day", week: "week", month: "month", quarter: "quarter", year: "year", yr: "year" },
  ...{ mm: "mm", cm: "cm", m: "m", metre: "m", meter: "m", km: "km", kilometre: "km", kilometer: "km", mile: "mile" },
  ...{ g: "g", kg: "kg", kilogram: "kg", tonne: "tonne", kb: "kb", mb: "mb", gb: "gb", tb: "tb", kw: "kw", kwh: "kwh" },
};
const unitWords = Object.keys(named)
  .toSorted((one, other) => other.length - one.length)
  .join("|");
const behind = new RegExp(
  `^[ -]?(?:(?:working|business|calendar|full|whole|consecutive) )?(?<unit>${unitWords})s?(?![\\p{L}\\p{N}])`,
  "iu",
);
const before = /(?<![\p{L}\p{N}])(?<unit>eur|usd|gbp|chf|jpy) ?$/iu;

/** Numbers that are another amount than their figures say, such as `R$ 500` or `5 trillion`: each with what makes it so. */
export function unreadIn(text: string): readonly Pick<Measure, "from" | "to">[] {
  return numbersIn(text).flatMap((found) => (isRead(text, found) ? [] : { from: found.from, to: found.to }));
}

function inFigures(text: string): readonly Measure[] {
  return numbersIn(text)
    .filter((found) => isRead(text, found))
    .map(({ quantity: { value, unit, scale }, ...place }) => {
      const { from, to, isClear } = place;
      const around = isClear ? unitAround({ text, from, to }) : unitWithin(text, place);
      return { value: inOnes(value, scale), ...around, unit: unit || around.unit };
    });
}

/** It is understood; or all that stands beside it is one of our measures, such as in `20 dollars`. */
function isRead(text: string, found: FoundNumber): boolean {
  return found.isClear || unitWithin(text, found).unit !== "";
}

function unitWithin(text: string, { from, to }: Pick<FoundNumber, "from" | "to">): Pick<Measure, "unit" | "from" | "to"> {
  const only = /^[\d.,]*\d(?<rest>\D+)$/.exec(text.slice(from, to));
  const named = behind.exec(only?.groups?.["rest"] ?? "");
  return { unit: named?.[0] === only?.groups?.["rest"] && named !== null ? unitOf(named) : "", from, to };
}

/** The unit beside a number, and how far the number reaches with it. */
function unitAround({ text, from, to }: { text: string; from: number; to: number }): Pick<Measure, "unit" | "from" | "to"> {
  const next = behind.exec(text.slice(to, to + 40));
  if (next !== null) return { unit: unitOf(next), from, to: to + next[0].length };
  const last = before.exec(text.slice(Math.max(0, from - 5), from));
  return last === null ? { unit: "", from, to } : { unit: unitOf(last), from: from - last[0].length, to };
}

function unitOf({ groups }: RegExpExecArray): string {
  return named[(groups?.["unit"] ?? "").toLowerCase()] ?? "";
}

const small = [
  ...["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"],
  ...["fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"],
];
const tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const large: Readonly<Record<string, number>> = { hundred: 100, thousand: 1_000, million: 1_000_000, billion: 1_000_000_000 };
const words = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?<tens>${tens.join("|")})(?:[ -](?<ones>${small.slice(1, 10).join("|")}))?|(?<small>${small.join("|")}))(?: (?<large>${Object.keys(large).join("|")}))?(?![\\p{L}\\p{N}])`,
  "giu",
);

/** `twenty-five`, `two hundred`; what is longer than that is written in figures. */
function inWords(text: string): readonly Measure[] {
  return [...text.matchAll(words)].flatMap((match) => {
    const groups = match.groups ?? {};
    const lower = (name: string): string => (groups[name] ?? "").toLowerCase();
    const ten = tens.indexOf(lower("tens"));
    const base = ten === -1 ? small.indexOf(lower("small")) : (ten + 2) * 10 + Math.max(0, small.indexOf(lower("ones")));
    const value = exactOf(base * (large[lower("large")] ?? 1));
    const [from, to] = [match.index, match.index + match[0].length];
    return value === undefined ? [] : [{ value, ...unitAround({ text, from, to }) }];
  });
}
