import { CountersignError } from "./errors.ts";

/** A half-open stretch of time, `[from, to)`, in milliseconds since the epoch; without an end where `to` is `null`. */
export interface Window {
  readonly from: number;
  readonly to: number | null;
}

/** The first instant of the year 1 and of the year 10000: what a date of four digits can name. */
export const firstInstant = -62_135_596_800_000;
export const endOfTime = 253_402_300_800_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How far ahead of its own clock a question may ask; an open end says "until further notice", and no more than that. */
const aheadMs = 36_525 * dayMs;

/**
 * Checks a reference time against the clock of who asks, both in milliseconds since the epoch, and returns it. Throws
 * `reference_time_missing` where there is none, and `reference_time_invalid` where it is no whole number of milliseconds, outside the
 * years 1 to 9999, or more than a hundred years ahead of the clock.
 * @example
 * checkReferenceTime({ at: Date.UTC(2026, 5, 1), clock: Date.UTC(2026, 5, 2) });
 */
export function checkReferenceTime({ at, clock }: { at: unknown; clock: number }): number {
  if (at === undefined || at === null) {
    const message = "a question about state needs its reference time, in milliseconds since the epoch";
    throw new CountersignError("reference_time_missing", message);
  }
  if (typeof at !== "number" || !Number.isInteger(at)) throw invalid("a reference time is whole milliseconds since the epoch");
  if (!isInstant(at)) throw invalid("the reference time is outside the years 1 to 9999; give milliseconds since the epoch");
  // Written so that a clock that is no number refuses too.
  if (!(at - clock <= aheadMs)) throw invalid("the reference time is more than a hundred years ahead; nothing is known of then");
  return at;
}

/** Says whether a number is an instant that can be kept: whole milliseconds within the years 1 to 9999. */
export function isInstant(ms: number): boolean {
  return Number.isInteger(ms) && ms >= firstInstant && ms < endOfTime;
}

/**
 * The instant, in milliseconds since the epoch, at which the written date or time begins. Text without an offset is read in `zone`, an
 * IANA name. Throws `reference_time_invalid` for a date that is none, without offset or zone, or at a wall time that the zone's clocks
 * skip or show twice.
 * @example
 * instantOf("2026-03-29", "Europe/Berlin"); // Date.UTC(2026, 2, 28, 23)
 */
export function instantOf(text: string, zone: string | null): number {
  return periodOf(text, zone).from;
}

/**
 * The window between two written dates or times; without an end where `to` is `null`. `toIsIncluded` says that the source means the
 * whole year, month or day that `to` names. Throws `reference_time_invalid` as `instantOf` does, and where the window is empty.
 * @example
 * windowOf({ from: "1999", to: "2003", zone: "UTC", toIsIncluded: true }); // { from: Date.UTC(1999, 0, 1), to: Date.UTC(2004, 0, 1) }
 */
export function windowOf({
  from,
  to,
  zone,
  toIsIncluded,
}: {
  readonly from: string;
  readonly to: string | null;
  readonly zone: string | null;
  readonly toIsIncluded: boolean;
}): Window {
  const begin = instantOf(from, zone);
  const end = to === null ? null : endOf(to, { zone, isIncluded: toIsIncluded });
  if (end !== null && end <= begin) throw invalid(`the window from \`${from}\` to \`${to}\` holds no time`);
  return { from: begin, to: end };
}

/**
 * The instant at which what is written as an end ends: where the date or time begins, or where the year, month or day ends that is
 * included. Throws `reference_time_invalid` as `instantOf` does, and for a time of day that is to be included.
 * @example
 * endOf("2003", { zone: "UTC", isIncluded: true }); // Date.UTC(2004, 0, 1)
 */
export function endOf(
  text: string,
  { zone, isIncluded }: { readonly zone: string | null; readonly isIncluded: boolean },
): number {
  const { from, to } = periodOf(text, zone);
  if (isIncluded && to === from) throw invalid("a time of day has no length that could be included; give a date");
  return isIncluded ? to : from;
}

/**
 * Writes an instant as the clocks of an IANA zone show it, with its offset.
 * @example
 * localText(Date.UTC(2026, 0, 1), "Europe/Berlin"); // "2026-01-01T01:00:00+01:00"
 */
export function localText(ms: number, zone: string): string {
  const shown = clockOf(zone)(ms);
  const offset = shown - Math.floor(ms / 1000) * 1000;
  return `${new Date(shown).toISOString().slice(0, 19)}${offsetText(offset)}`;
}

function offsetText(ms: number): string {
  if (ms === 0) return "Z";
  const seconds = Math.abs(ms) / 1000;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, ...(seconds % 60 === 0 ? [] : [seconds % 60])];
  return (ms < 0 ? "-" : "+") + parts.map((part) => String(part).padStart(2, "0")).join(":");
}

const written =
  /^(?<year>\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d)(?:[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<milli>\d{1,3})\d*)?)?(?<offset>Z|[+-]\d\d:\d\d)?)?)?)?$/;

type Fields = Readonly<Record<string, string | undefined>>;

/** The year, month or day that a date names, or the instant of a time as a stretch without length. */
function periodOf(text: string, zone: string | null): { from: number; to: number } {
  const fields: Fields | undefined = written.exec(text)?.groups;
  if (fields === undefined) throw invalid(`\`${text.slice(0, 40)}\` is no date or time such as \`2026-03-29\``);
  const wall = wallOf(fields, text);
  const { offset } = fields;
  if (offset !== undefined) return point(wall - (offset === "Z" ? 0 : offsetMs(offset, text)));
  if (zone === null) throw invalid(`\`${text}\` has no offset; say in which zone its source writes`);
  const clock = clockOf(zone);
  if (fields["hour"] !== undefined) return point(instantAt(wall, clock, text));
  const period = { from: startOf(wall, clock), to: startOf(afterPeriod(wall, fields), clock) };
  if (period.to <= period.from) throw invalid(`the clocks of \`${zone}\` skip \`${text}\``);
  if (!isInstant(period.from) || period.to > endOfTime) throw invalid(`\`${text}\` reaches outside the years 1 to 9999`);
  return period;
}

function point(ms: number): { from: number; to: number } {
  if (!isInstant(ms)) throw invalid("the time is outside the years 1 to 9999");
  return { from: ms, to: ms };
}

/** What a clock shows, as if it stood in UTC, in milliseconds; refuses a date that no calendar has. */
function wallOf(
  { year, month = "01", day = "01", hour = "00", minute = "00", second = "00", milli = "0" }: Fields,
  text: string,
) {
  const ms = utc([Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second)]);
  const read = Number.isNaN(ms) ? "" : new Date(ms).toISOString();
  if (!isInstant(ms) || read.slice(0, 19) !== `${year}-${month}-${day}T${hour}:${minute}:${second}`)
    throw invalid(`\`${text}\` is no day or time of the calendar`);
  return ms + Number(milli.padEnd(3, "0"));
}

function utc([year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]: readonly number[]): number {
  // `Date.UTC` takes the years 0 to 99 for 1900 to 1999.
  return new Date(Date.UTC(2000, month - 1, day, hour, minute, second)).setUTCFullYear(year, month - 1, day);
}

function offsetMs(offset: string, text: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  if (hours > 18 || minutes > 59) throw invalid(`\`${text}\` has an offset that no clock has`);
  return (offset.startsWith("-") ? -1 : 1) * (hours * hourMs + minutes * 60_000);
}

function afterPeriod(wall: number, { month, day }: Fields): number {
  if (day !== undefined) return wall + dayMs;
  const [year, at] = [new Date(wall).getUTCFullYear(), new Date(wall).getUTCMonth() + 1];
  return month === undefined ? utc([year + 1]) : utc(at === 12 ? [year + 1] : [year, at + 1]);
}

type ShownClock = (ms: number) => number;

/** Says what the clocks of a zone show at an instant, as if it stood in UTC, to the second. */
function clockOf(zone: string): ShownClock {
  const format = formatOf(zone);
  return (ms) => {
    const shown = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    return utc(["year", "month", "day", "hour", "minute", "second"].map((unit) => shown.get(unit as "year") ?? 0)); // names of parts
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const unit = "2-digit" as const;
  const options = { year: "numeric", month: unit, day: unit, hour: unit, minute: unit, second: unit, hourCycle: "h23" } as const;
  try {
    // The ISO calendar has no switch from Julian dates.
    return new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", { ...options, timeZone });
  } catch (cause) {
    const message = `\`${timeZone}\` is no time zone; use an IANA name such as \`Europe/Berlin\``;
    throw new CountersignError("reference_time_invalid", message, { cause });
  }
}

/** The instants at which the clocks show a wall time: none where they skip it, two where they show it twice. */
function candidates(wall: number, clock: ShownClock): readonly number[] {
  const second = Math.floor(wall / 1000) * 1000;
  const offsets = [second - dayMs, second + dayMs].map((near) => clock(near) - near);
  const found = offsets.map((offset) => second - offset).filter((ms) => clock(ms) === second);
  return [...new Set(found)].map((ms) => ms + wall - second);
}

function instantAt(wall: number, clock: ShownClock, text: string): number {
  const [only, other] = candidates(wall, clock);
  if (only === undefined) throw invalid(`the clocks of its zone skip \`${text}\`; give an offset`);
  if (other !== undefined) throw invalid(`the clocks of its zone show \`${text}\` twice; give an offset`);
  return only;
}

/** The first instant of a day: midnight, or what the clocks jump to where they skip midnight. */
function startOf(wall: number, clock: ShownClock): number {
  const found = candidates(wall, clock);
  if (found.length > 0) return Math.min(...found);
  return wall - (clock(wall - dayMs) - (wall - dayMs));
}

function invalid(message: string): CountersignError {
  return new CountersignError("reference_time_invalid", message);
}
