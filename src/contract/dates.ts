const form = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2})?)?$/;
/** The largest time that a date can hold, in milliseconds, ECMA-262 21.4.1.1. */
const latest = 8.64e15;
const dayMs = 86_400_000;

/** The day of a date that may carry a time of its own, `2024-05-16`; `undefined` for what is no day of the calendar. */
export function dayOf(date: string): string | undefined {
  const day = form.exec(date)?.[1];
  return day !== undefined && dateText(Date.parse(`${day}T00:00:00Z`)) === day ? day : undefined;
}

/** Milliseconds of a time with a day and an hour, as if it were UTC; seconds are dropped. */
export function instantOf(time: string): number | undefined {
  const hours = form.exec(time)?.[2];
  const day = dayOf(time);
  const at = day === undefined || hours === undefined ? Number.NaN : Date.parse(`${day}T${hours}:00Z`);
  return Number.isNaN(at) ? undefined : at;
}

/** A day and an hour of `HH:MM`, such as `2024-05-16 09:00`; `undefined` where the hour is none. */
export function timeOn(day: string, hour: string): string | undefined {
  const hours = /^(?:\d{4}-\d{2}-\d{2}[T ])?(\d{1,2}:\d{2})(?::\d{2})?$/.exec(hour)?.[1];
  const date = dayOf(day);
  return hours === undefined || date === undefined ? undefined : `${date} ${hours.padStart(5, "0")}`;
}

/** So many minutes later, in calendar time without zones; `undefined` beyond what a date can hold. */
export function minutesLater(time: string, minutes: number): string | undefined {
  const then = (instantOf(time) ?? Number.NaN) + minutes * 60_000;
  return Math.abs(then) <= latest ? new Date(then).toISOString().slice(0, 16).replace("T", " ") : undefined;
}

/** So many days later; `undefined` beyond the years that four digits write. */
export function daysLater(date: string, days: number): string | undefined {
  return dateText(Date.parse(`${dayOf(date)}T00:00:00Z`) + days * dayMs);
}

/** Whole days from one date to another; below zero where it lies before. `undefined` where one of them is none. */
export function daysFrom(start: string, end: string): number | undefined {
  const [from, to] = [start, end].map((date) => Date.parse(`${dayOf(date)}T00:00:00Z`));
  return from === undefined || to === undefined || Number.isNaN(to - from) ? undefined : (to - from) / dayMs;
}

function dateText(at: number): string | undefined {
  if (!(Math.abs(at) <= latest)) return undefined;
  const text = new Date(at).toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 10) : undefined;
}
