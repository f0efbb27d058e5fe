import { dateOf } from "./times.ts";

/** What a field for a day and time holds, read as UTC, in milliseconds since the epoch; `null` where it is no time. */
export function instantOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/.test(text)) return null;
  const at = Date.parse(`${text}Z`);
  return Number.isNaN(at) ? null : at;
}

/** The same the other way, to the minute. */
export function minuteText(at: number): string {
  return dateOf(at).toISOString().slice(0, 16);
}
