const dayMs = 86_400_000;

/** Which days a report is of. */
export const ranges = ["month", "fortnight", "last_month"] as const;
export type Range = (typeof ranges)[number];

/** What the ranges are called. */
export const rangeWords: Readonly<Record<Range, string>> = {
  month: "This month",
  fortnight: "Last 14 days",
  last_month: "Last month",
};

/** The first day of a range and the day after its last, in UTC, as of a point in time in milliseconds. */
export function daysOf(range: Range, now: number): { readonly from: string; readonly before: string } {
  const today = dayOf(now);
  const tomorrow = dayOf(now + dayMs);
  const first = `${today.slice(0, 7)}-01`;
  if (range === "month") return { from: first, before: tomorrow };
  if (range === "fortnight") return { from: dayOf(now - 13 * dayMs), before: tomorrow };
  return { from: `${dayOf(Date.parse(first) - dayMs).slice(0, 7)}-01`, before: first };
}

/** Every day from the first to the one before `before`, as `YYYY-MM-DD`; a year and a month at most. */
export function eachDay({ from, before }: { readonly from: string; readonly before: string }): readonly string[] {
  const count = Math.min(400, Math.max(0, Math.round((Date.parse(before) - Date.parse(from)) / dayMs)));
  return Array.from({ length: count }, (_none, place) => dayOf(Date.parse(from) + place * dayMs));
}

const monthDay = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });

/** A day such as `2026-11-03` as words: `3 Nov`. */
export function dayWords(day: string): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? day : monthDay.format(at);
}

/** The first and the last day of a range as words. */
export function spanWords({ from, before }: { readonly from: string; readonly before: string }): string {
  const last = dayOf(Date.parse(before) - dayMs);
  return from === last ? dayWords(from) : `${dayWords(from)} to ${dayWords(last)}`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
