// Whoever reads and the server may be in different zones, so pages say one and name it.
const timeZone = "UTC";
const clockTime = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", second: "2-digit" });
const shortTime = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "short", year: "numeric" });
const whole = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "long", timeStyle: "long" });

const minute = 60_000;
const hour = 60 * minute;
const dayMs = 24 * hour;

/** A point in time that a date can hold; what none can hold is the first of all days, never a failed page. */
export function dateOf(at: number): Date {
  return new Date(Math.abs(at) <= 8.64e15 ? at : 0);
}

/** The time of day, with the day before it where it is not today's. */
export function timeWords(at: number, now: number, isExact = true): string {
  const date = dateOf(at);
  const clock = (isExact ? clockTime : shortTime).format(date);
  return isSameDay(at, now) ? clock : `${dayWords(at, now)} ${clock}`;
}

/** The day, with its year where that is not this year's. */
function dayWords(at: number, now: number): string {
  const date = dateOf(at);
  return date.getUTCFullYear() === dateOf(now).getUTCFullYear() ? day.format(date) : dayOfYear.format(date);
}

/** The whole of a point in time, for a title. */
export function wholeTime(at: number): string {
  return whole.format(dateOf(at));
}

/** How long something takes, took or is still to come, in one or two units: `1 h 42 min`, `3 days`, `20 s`, `12 ms`. */
export function durationWords(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < minute) return `${Math.floor(ms / 1000)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < dayMs) {
    const minutes = Math.floor((ms % hour) / minute);
    return `${Math.floor(ms / hour)} h${minutes === 0 ? "" : ` ${String(minutes).padStart(2, "0")} min`}`;
  }
  const days = Math.floor(ms / dayMs);
  return days === 1 ? "1 day" : `${days} days`;
}

function isSameDay(at: number, now: number): boolean {
  return dayOfYear.format(dateOf(at)) === dayOfYear.format(dateOf(now));
}
