import { type Html, html } from "./html.ts";

// Whoever reads and the server may be in different zones, so pages say one and name it.
const timeZone = "UTC";
const clockTime = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "short" });
const whole = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "long", timeStyle: "long" });

/** A point in time in UTC, absolute: the time of day, with the day before it where it is not today's; the whole of it as the title. */
export function time(at: number, now: number): Html {
  // A time that no date can hold shows as the first of all days, never as a failed page.
  const date = new Date(Math.abs(at) <= 8.64e15 ? at : 0);
  const isToday = day.format(date) === day.format(new Date(now)) && Math.abs(now - at) < 36 * 60 * 60 * 1000;
  const words = isToday ? clockTime.format(date) : `${day.format(date)} ${clockTime.format(date)}`;
  return html`<time datetime="${date.toISOString()}" title="${whole.format(date)}">${words} UTC</time>`;
}
