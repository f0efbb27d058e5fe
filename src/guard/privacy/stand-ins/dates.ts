import { dayOf, daysFrom, daysLater } from "../../../contract/dates.ts";
import type { Dice } from "./dice.ts";

// Years in which nobody is born yet: a date of one of them is known as ours.
const firstDay = "2900-01-01";
const scatteredDays = 36_500;

/** A day of the 2900s, such as `2931-11-07`. */
export function drawDay(dice: Dice): string {
  return daysLater(firstDay, dice(10) * (scatteredDays / 10) + dice(scatteredDays / 10)) ?? firstDay;
}

/** By how many days all dates of one payload move: some 700 years, so that a date of our time falls between 2600 and 2999. */
export function drawShift(dice: Dice): number {
  return (daysFrom("1900-01-01", "2610-01-01") ?? 0) + dice(9_000) * 4;
}

/** A day that lies so many days later; `null` where its year would not be one of ours. */
export function shiftDay(day: string, days: number): string | null {
  const later = daysLater(day, days);
  return later !== undefined && /^2[6-9]/.test(later) ? later : null;
}

const months = "January February March April May June July August September October November December".split(" ");
const numeric = /^(\d{1,4})([-./ ])(\d{1,2})\2(\d{1,4})$/;

/** The day that a date names, as `1975-03-14`: by its canonical form, else by its spelling; `null` where neither says so without doubt. */
export function dayIn({ canonical, surface }: { canonical: string; surface: string }): string | null {
  const day = dayOf(canonical);
  if (day !== undefined) return day;
  const [, first = "", , second = "", third = ""] = numeric.exec(surface) ?? [];
  if (first.length === 4) return dayOf(`${first}-${second.padStart(2, "0")}-${third.padStart(2, "0")}`) ?? null;
  // Above twelve it is no month; else the order is anybody's guess.
  if (third.length !== 4 || (Number(first) <= 12 && Number(second) <= 12)) return null;
  const [days, month] = Number(first) > 12 ? [first, second] : [second, first];
  return dayOf(`${third}-${month.padStart(2, "0")}-${days.padStart(2, "0")}`) ?? null;
}

/**
 * Ways in which a model may rewrite a day of ours, each beside the value's own day written so: those alone that say the same day to
 * everybody. Day and month in figures with a slash between them say two.
 */
export function rewritingsOf(day: string, own: string): readonly { readonly text: string; readonly surface: string }[] {
  const surfaces = plainSpellings(own);
  return plainSpellings(day).map((text, at) => ({ text, surface: surfaces[at] ?? own })); // the same list of forms
}

function plainSpellings(day: string): readonly string[] {
  const { year, month, days, d, m, name } = partsOf(day);
  const inFigures = [day, `${year}/${month}/${days}`, `${days}.${month}.${year}`, `${d}.${m}.${year}`];
  const short = name.slice(0, 3);
  return [
    ...inFigures,
    ...[name, short].flatMap((word) => [`${d} ${word} ${year}`, `${days} ${word} ${year}`]),
    ...[name, short].flatMap((word) => [`${word} ${d}, ${year}`, `${word} ${d} ${year}`]),
  ];
}

function partsOf(day: string) {
  const [year = "", month = "", days = ""] = day.split("-");
  return { year, month, days, d: String(Number(days)), m: String(Number(month)), name: months[Number(month) - 1] ?? "" };
}

/** Ways of writing a day of ours, the one most like the original's first. Each has the year in four digits. */
export function spellDay({ day, own, surface }: { day: string; own: string; surface: string }): readonly string[] {
  const { year, month, days, d, m, name } = partsOf(day);
  const [, first = "", sign = "-", second = ""] = numeric.exec(surface) ?? [];
  const isMonthFirst = Number(first) === Number(own.slice(5, 7)) && Number(second) === Number(own.slice(8, 10));
  const inOrder = isMonthFirst ? `${month}${sign}${days}${sign}${year}` : `${days}${sign}${month}${sign}${year}`;
  const like = first.length === 4 ? `${year}${sign}${month}${sign}${days}` : inOrder;
  const written = [`${d} ${name} ${year}`, `${name} ${d}, ${year}`];
  const isWritten = /\p{L}/u.test(surface);
  const plain = [
    like,
    day,
    `${days}.${month}.${year}`,
    `${month}/${days}/${year}`,
    `${year}/${month}/${days}`,
    `${d}.${m}.${year}`,
  ];
  return [...new Set(isWritten ? [...written, ...plain] : [...plain, ...written])];
}
