import type { Json } from "../../contract/json.ts";

/** A calculation by code; gives `undefined` for what it is not meant for. */
export type Calculation = (values: readonly Json[]) => Json | undefined;

/** The calculations that a plan may use, by name. Closed: what is not here does not resolve. */
export const calculations: ReadonlyMap<string, Calculation> = new Map<string, Calculation>(
  entries().map(([name, work]) => [name, (values) => finite(work(values))]),
);

/** What no record could keep is no result. */
function finite(value: Json | undefined): Json | undefined {
  return typeof value === "number" && !Number.isFinite(value) ? undefined : value;
}

function entries(): readonly (readonly [string, Calculation])[] {
  return [
    ["add", numeric((a, b) => a + b)],
    ["subtract", numeric((a, b) => a - b)],
    ["multiply", numeric((a, b) => a * b)],
    ["percent_of", numeric((percent, of) => (percent * of) / 100)],
    ["round2", ([value]) => (typeof value === "number" ? Math.round((value + Number.EPSILON) * 100) / 100 : undefined)],
    ["count", ([list]) => (Array.isArray(list) ? list.length : undefined)],
    ["sum", ([list]) => sumOf(list)],
    ["text", ([value]) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined)],
    ["join", (values) => (values.every((one) => typeof one === "string") ? values.join("") : undefined)],
    ["date_time", ([date, time]) => dateTime(date, time)],
    ["add_minutes", ([time, minutes]) => addMinutes(time, minutes)],
    ["minutes_between", ([start, end]) => minutesBetween(start, end)],
  ];
}

function numeric(work: (a: number, b: number) => number): Calculation {
  return ([a, b]) => {
    if (typeof a !== "number" || typeof b !== "number") return undefined;
    // Decimal amounts stay what they are on paper: 1,004 x 19.5 % has no tail of binary digits.
    const result = Number(work(a, b).toPrecision(12));
    return Number.isFinite(result) ? result : undefined;
  };
}

function sumOf(list: Json | undefined): number | undefined {
  if (!Array.isArray(list) || !list.every((one) => typeof one === "number")) return undefined;
  return Number(list.reduce((sum: number, one: number) => sum + one, 0).toPrecision(12));
}

const datePart = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2})?)?$/;

/** `2024-05-16` and `9:00` give `2024-05-16 09:00`; the date may carry a time of its own, which is dropped. */
function dateTime(date: Json | undefined, time: Json | undefined): string | undefined {
  if (typeof date !== "string" || typeof time !== "string") return undefined;
  const day = datePart.exec(date)?.[1];
  const hours = /^(?:\d{4}-\d{2}-\d{2}[T ])?(\d{1,2}:\d{2})(?::\d{2})?$/.exec(time)?.[1];
  return day === undefined || hours === undefined ? undefined : `${day} ${hours.padStart(5, "0")}`;
}

/** `2024-05-16 23:30` and 60 give `2024-05-17 00:30`; calendar time, without zones. */
function addMinutes(time: Json | undefined, minutes: Json | undefined): string | undefined {
  const at = instantOf(time);
  if (at === undefined || typeof minutes !== "number" || !Number.isInteger(minutes)) return undefined;
  const then = at + minutes * 60_000;
  // The largest time that a date can hold, ECMA-262 21.4.1.1.
  if (!(Math.abs(then) <= 8.64e15)) return undefined;
  return new Date(then).toISOString().slice(0, 16).replace("T", " ");
}

/** `2024-05-16 23:30` and `2024-05-17 00:30` give 60; seconds are dropped, and an end before its start is none. */
function minutesBetween(start: Json | undefined, end: Json | undefined): number | undefined {
  const [from, to] = [instantOf(start), instantOf(end)];
  return from === undefined || to === undefined || to < from ? undefined : (to - from) / 60_000;
}

/** Milliseconds of a time with a day and an hour, as if it were UTC. */
function instantOf(time: Json | undefined): number | undefined {
  const [, day, hours] = typeof time === "string" ? (datePart.exec(time) ?? []) : [];
  const at = day === undefined || hours === undefined ? Number.NaN : Date.parse(`${day}T${hours}:00Z`);
  return Number.isNaN(at) ? undefined : at;
}
