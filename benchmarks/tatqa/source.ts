import type { FieldUnits } from "../../src/contract/calculation.ts";
import type { LoadedContext, Passage, RecordRow } from "../../src/contract/context.ts";
import type { FieldUnit, Scale } from "../../src/contract/quantity.ts";
import { readNumber } from "../../src/contract/read-number.ts";
import type { Report } from "./read-set.ts";

/**
 * A report as a decision would have it loaded: each line of the table a record, each paragraph a passage. Where units are declared, they
 * are what the table says of all its numbers; else each cell speaks for itself.
 */
export function loadedOf(report: Report, { isDeclared }: { isDeclared: boolean }): LoadedContext {
  const unit: FieldUnit = isDeclared ? unitOf(report) : { written: "english" };
  const rows = report.table.map((cells, place) => recordOf({ report, cells, place, unit }));
  return { items: [...rows, ...report.paragraphs.map((one) => passageOf(report, one))], digest: report.context_id };
}

function recordOf({
  report,
  cells,
  place,
  unit,
}: {
  report: Report;
  cells: readonly string[];
  place: number;
  unit: FieldUnit;
}): RecordRow {
  const fields = cells.map((cell, column) => [`c${column}`, cell] as const);
  const headings = headingsOf(report);
  const units: FieldUnits = Object.fromEntries(
    fields.map(([field], column) => [
      field,
      isHeading(cells) ? { written: "english" } : columnUnit(unit, headings[column] ?? ""),
    ]),
  );
  return {
    kind: "record",
    id: `table:${place}`,
    need: `r${place}`,
    query: "report.table",
    title: `Table of ${report.context_id}`,
    row: Object.fromEntries(fields),
    labels: Object.fromEntries(fields.map(([field]) => [field, "system"])),
    units,
    readAt: 0,
  };
}

/** A column of percentages is in percent; all else is in what the whole table is in. */
function columnUnit(unit: FieldUnit, heading: string): FieldUnit {
  return /(?:^|\|)\s*%\s*(?:\||$)/.test(heading) ? { unit: "percent", written: "english" } : unit;
}

/** What stands in each column above the first line of numbers. */
function headingsOf({ table }: Report): readonly string[] {
  const [first = []] = table;
  const end = table.findIndex(
    (cells) => !isHeading(cells) && cells.slice(1).some((cell) => readNumber(cell, "english") !== undefined),
  );
  return first.map((_, column) =>
    table
      .slice(0, Math.max(end, 0))
      .map((cells) => cells[column] ?? "")
      .join("|"),
  );
}

function passageOf({ context_id: id }: Report, { order, text }: { order: number; text: string }): Passage {
  return {
    ...({ kind: "passage", id: `p${order}`, need: "paragraphs", document: id, title: id, version: "1" } as const),
    ...{ section: String(order), text, score: 1 },
  };
}

/** What the table says of its numbers, in its own cells or in the text around it. */
function unitOf({ table, paragraphs }: Report): FieldUnit {
  const cells = table.flat();
  const heading = cells.join(" | ");
  const around = paragraphs.map(({ text }) => text).join(" ");
  const sign = cells.find((cell) => /[$\u20ac\u00a3]/.test(cell));
  const currency = sign === undefined ? undefined : sign.includes("$") ? "USD" : sign.includes("\u20ac") ? "EUR" : "GBP";
  return {
    ...(currency === undefined ? {} : { unit: currency }),
    scale: scaleOf(heading) ?? scaleOf(around) ?? "one",
    written: "english",
  };
}

function scaleOf(text: string): Scale | undefined {
  const [, word] = /\b(?:in|of)\s+(?:[a-z.$\u20ac\u00a3]+\s+){0,3}?(thousand|million|billion)s?\b/i.exec(text) ?? [];
  if (word !== undefined) return word.toLowerCase() as Scale; // one of the words of the pattern
  if (/[$\u20ac\u00a3]\s?m\b|[$\u20ac\u00a3]\s?million|\bmillions\b/i.test(text)) return "million";
  return /['\u2019]000|\$000|\(000s?\)|\bthousands\b/i.test(text) ? "thousand" : undefined;
}

/** A line of years is in no currency. */
function isHeading(cells: readonly string[]): boolean {
  const numbers = cells.flatMap((cell) => readNumber(cell, "english") ?? []).map(({ value }) => Number(value.numerator));
  return (
    numbers.length > 0 &&
    numbers.every((one) => one >= 1900 && one <= 2100) &&
    cells.every((cell) => !/[$\u20ac\u00a3]/.test(cell))
  );
}
