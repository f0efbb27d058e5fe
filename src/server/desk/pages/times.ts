import { type Html, html } from "./html.ts";

const clockTime = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const whole = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "long" });

/** A point in time, absolute: the time of day, with the day before it where it is not today's; the whole of it as the title. */
export function time(at: number, now: number): Html {
  // A time that no date can hold shows as the first of all days, never as a failed page.
  const date = new Date(Math.abs(at) <= 8.64e15 ? at : 0);
  const isToday = day.format(date) === day.format(new Date(now)) && Math.abs(now - at) < 36 * 60 * 60 * 1000;
  const words = isToday ? clockTime.format(date) : `${day.format(date)} ${clockTime.format(date)}`;
  return html`<time datetime="${date.toISOString()}" title="${whole.format(date)}">${words}</time>`;
}
