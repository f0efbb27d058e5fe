const dayForm = /^\d{4}-\d{2}-\d{2}$/;
const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * A day in UTC, or an instant with its time zone, as milliseconds since the epoch; `null` for what is neither. Where a day is the last
 * one of something, that ends with the day.
 */
export function instantOfDay(text: string, isLast: boolean): number | null {
  if (instantForm.test(text)) {
    const instant = Date.parse(text);
    return Number.isNaN(instant) ? null : instant;
  }
  if (!dayForm.test(text)) return null;
  const start = Date.parse(`${text}T00:00:00Z`);
  // A day that there is not, such as the 31st of February, is read as another one.
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== text) return null;
  return isLast ? start + dayMs : start;
}
