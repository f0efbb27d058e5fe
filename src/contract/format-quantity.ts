import { minorDigits } from "./currency.ts";
import { dayOf } from "./dates.ts";
import { decimalText } from "./exact.ts";
import type { Quantity } from "./quantity.ts";

/** How a value is written: `money`, `number`, `percent` or `date`, with digits behind the point for all but dates. */
export interface Format {
  readonly kind: "money" | "number" | "percent" | "date";
  readonly digits?: number;
}

/** Reads a format as a binding names it, such as `number:1`; `undefined` for anything else. */
export function readFormat(text: string): Format | undefined {
  const [, kind, digits] = /^(money|number|percent|date)(?::(\d))?$/.exec(text) ?? [];
  if (kind === undefined || (kind === "date" && digits !== undefined)) return undefined;
  // One of the words of the pattern.
  return { kind: kind as Format["kind"], ...(digits === undefined ? {} : { digits: Number(digits) }) };
}

/**
 * Writes a quantity or a date for people; `undefined` where the format is for something else, such as money for a bare number.
 * @example
 * formatValue({ ...quantities.of("1234.5"), unit: "EUR" }, { kind: "money" }); // "1,234.50 EUR"
 */
export function formatValue(value: Quantity | string, format: Format | null): string | undefined {
  if (typeof value === "string") return format === null ? value : format.kind === "date" ? dateInWords(value) : undefined;
  const isMoney = /^[A-Z]{3}$/.test(value.unit);
  if (format === null) return writeOut(value, defaultDigits(value, isMoney));
  if (format.kind === "date" || (format.kind === "money" && !isMoney)) return undefined;
  if (format.kind === "percent" && value.unit !== "percent") return undefined;
  return writeOut(value, format.digits ?? defaultDigits(value, isMoney));
}

/** Money to its smallest unit; anything else as it is, or to two digits where it has no end. */
function defaultDigits({ value, unit, scale }: Quantity, isMoney: boolean): number | undefined {
  const digits = isMoney && scale === "one" ? minorDigits(unit) : undefined;
  if (digits !== undefined) return digits;
  return decimalText(value) === undefined ? 2 : undefined;
}

function writeOut({ value, unit, scale }: Quantity, digits: number | undefined): string {
  const [whole = "", part] = (decimalText(value, digits) ?? "").split(".");
  const number = whole.replace(/\B(?=(?:\d{3})+$)/g, ",") + (part === undefined ? "" : `.${part}`);
  const scaled = scale === "one" ? number : `${number} ${scale}`;
  if (unit === "percent") return `${scaled}%`;
  return unit === "" ? scaled : `${scaled} ${unit}`;
}

const months = "January,February,March,April,May,June,July,August,September,October,November,December".split(",");

function dateInWords(date: string): string | undefined {
  const [year, month, day] = dayOf(date)?.split("-") ?? [];
  return year === undefined ? undefined : `${Number(day)} ${months[Number(month) - 1]} ${year}`;
}
