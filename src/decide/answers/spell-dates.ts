import { withoutSpans } from "./without-spans.ts";

/** A date as a text gives it: the parts that it names. */
export interface SpelledDate {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
}

/** A date in a text, with every way in which it can be read and its place. */
export interface FoundDate {
  readonly readings: readonly SpelledDate[];
  readonly from: number;
  readonly to: number;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] as const;
const month =
  "(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const day = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
const year = "(?<year>\\d{4})";

/** Tried in this order; what one has taken is not looked at by the next. */
const forms: readonly RegExp[] = [
  new RegExp(`(?<![\\p{L}\\p{N}.-])${year}-(?<month>\\d{2})-(?<day>\\d{2})(?![\\p{N}-])`, "giu"),
  new RegExp(`(?<![\\p{L}\\p{N}.,])${day}\\.? (?:of )?${month}\\.?(?:,? ${year})?(?![\\p{L}\\p{N}])`, "giu"),
  new RegExp(`(?<![\\p{L}\\p{N}])${month}\\.? ${day}(?:,? ${year})?(?![\\p{L}\\p{N}]|[.,]\\d|:)`, "giu"),
  new RegExp(`(?<![\\p{L}\\p{N}])${month}\\.?,? (?:of )?${year}(?![\\p{L}\\p{N}]|[.,]\\d)`, "giu"),
  new RegExp(
    `(?<![\\p{L}\\p{N}.,/-])(?<day>\\d{1,2})(?<joint>[./])(?<month>\\d{1,2})\\k<joint>${year}(?![\\p{L}\\p{N}]|[./]\\d)`,
    "giu",
  ),
  // A month alone counts behind a word that puts something in time; `may` and `march` are words too.
  new RegExp(`(?<=\\b(?:in|since|until|by|before|after|during|early|late|of) )${month}(?![\\p{L}\\p{N}])`, "giu"),
];

/**
 * Every date of a text, written as `2026-11-29`, `29 November 2026`, `Nov. 29`, `November 2026`, `29.11.2026` or `11/29/2026`. What can be read in two
 * ways has both readings.
 */
export function datesIn(text: string): readonly FoundDate[] {
  let rest = text;
  const found: FoundDate[] = [];
  for (const form of forms) {
    const taken = [...rest.matchAll(form)].flatMap((match) => {
      const readings = readingsOf(match.groups ?? {});
      return readings.length === 0 ? [] : [{ readings, from: match.index, to: match.index + match[0].length }];
    });
    found.push(...taken);
    rest = withoutSpans(rest, taken);
  }
  return found.toSorted((one, other) => one.from - other.from);
}

/** Says whether a date bears out another: all that is named there is named here and the same. */
export function bearsOutDate(known: FoundDate, said: FoundDate): boolean {
  return said.readings.some((one) => known.readings.some((other) => holds(other, one)));
}

function holds(known: SpelledDate, said: SpelledDate): boolean {
  return (["year", "month", "day"] as const).every((part) => said[part] === undefined || said[part] === known[part]);
}

function readingsOf({
  year: y,
  month: m = "",
  day: d,
  joint,
}: Readonly<Record<string, string | undefined>>): readonly SpelledDate[] {
  const place = months.indexOf(m.slice(0, 3).toLowerCase() as (typeof months)[number]); // -1 for what is none
  const named = place === -1 ? Number(m) : place + 1;
  const base = { ...(y === undefined ? {} : { year: Number(y) }), ...(d === undefined ? {} : { day: Number(d) }) };
  const straight: SpelledDate = { ...base, month: named };
  // With strokes the month comes first in some countries; points are written by those who put the day first.
  const turned: SpelledDate = { ...base, month: Number(d), day: named };
  return (joint === "/" ? [straight, turned] : [straight]).filter(isOfCalendar);
}

function isOfCalendar({ month: m = 1, day: d = 1 }: SpelledDate): boolean {
  return m >= 1 && m <= 12 && d >= 1 && d <= 31;
}
