/** A moment as environments keep it, `YYYY-MM-DDTHH:MM:SS`, from `YYYY-MM-DD` with or without `HH:MM`; `null` where it is none. */
export function momentOf(written: string): string | null {
  const [, day, clock = "00:00"] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::00)?)?$/.exec(written) ?? [];
  const moment = `${day}T${clock}:00`;
  const time = Date.parse(`${moment}Z`);
  return Number.isNaN(time) || momentAt(time) !== moment ? null : moment;
}

/** The moment so many minutes later. */
export function minutesAfter(moment: string, minutes: number): string {
  return momentAt(Date.parse(`${moment}Z`) + minutes * 60_000);
}

function momentAt(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}
