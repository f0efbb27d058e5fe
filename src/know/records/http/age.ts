/** What the `Date` of an answer leaves open, in milliseconds: it is told in whole seconds. */
const withinSecondMs = 999;

/**
 * When an answer left the system of record, in milliseconds since the epoch, and never later than it was asked for: by its `Date` and by its
 * `Age`, whichever says that it is older (RFC 9111, 4.2.3). `NaN` where it says neither, which is too old for everything.
 */
export function readAtOf(headers: Headers, askedAt: number): number {
  const date = headers.get("date");
  const age = headers.get("age");
  const made = date === null ? Number.NaN : Date.parse(date) + withinSecondMs;
  const aged = age === null ? undefined : /^\d{1,10}$/.test(age.trim()) ? askedAt - Number(age) * 1_000 : Number.NaN;
  return aged === undefined ? Math.min(made, askedAt) : Math.min(...(date === null ? [] : [made]), aged, askedAt);
}
