import {
  type FaultyRow,
  type FeedFault,
  type FeedRow,
  type Mapping,
  type Read,
  readCurrency,
  readDay,
  readReference,
  readSize,
  shortened,
} from "./feed-row.ts";

/**
 * Norda Bank sends a text file with semicolons, days as `DD.MM.YYYY`, and amounts as `1.234,56`: a point between thousands, a comma and
 * always two digits behind it. `15.500` is fifteen thousand to some and fifteen and a half to others; here it is a fault.
 */
export const norda: Mapping = { custodian: "norda", version: "norda-3", read };

const header = "Buchungstag;Referenz;Text;Betrag;Waehrung";
const columnCount = header.split(";").length;

function read(file: string): readonly FeedRow[] {
  const [first = "", ...lines] = withoutEnd(file).split(/\r?\n/);
  if (first !== header) {
    return [faulty(1, "feed_unreadable", `the first line is ${shortened(first)}, not the header of ${norda.version}`)];
  }
  return lines.map((text, place) => readLine(text, place + 2));
}

/** Without a mark of byte order at the start and the line break at the end. */
function withoutEnd(file: string): string {
  return file.replace(/^\uFEFF/, "").replace(/\r?\n$/, "");
}

function readLine(text: string, line: number): FeedRow {
  if (text.trim() === "") return faulty(line, "line_empty", "the line is empty");
  const cells = cellsOf(text);
  if (cells === null) return faulty(line, "quote_open", "a quotation mark is left open");
  if (cells.length !== columnCount) {
    return faulty(line, "columns_differ", `the line has ${cells.length} columns, not ${columnCount}`);
  }
  const [day = "", writtenReference = "", words = "", writtenAmount = "", writtenCurrency = ""] = cells.map((cell) =>
    cell.trim(),
  );
  const bookedOn = readGermanDay(day);
  const reference = readReference(writtenReference);
  const amount = readGermanAmount(writtenAmount);
  const currency = readCurrency(writtenCurrency);
  for (const field of [bookedOn, reference, amount, currency]) {
    if ("fault" in field) return faulty(line, field.fault, field.says);
  }
  if ("fault" in bookedOn || "fault" in reference || "fault" in amount || "fault" in currency) throw new Error("looked at above");
  // Norda writes all amounts with two digits, those in yen too.
  const minor = currency.value === "JPY" ? amount.value / 100 : amount.value;
  if (!Number.isInteger(minor))
    return faulty(line, "amount_not_whole", `yen have no digits behind the comma: ${shortened(writtenAmount)}`);
  return {
    ...{ kind: "mapped", line, mapping: norda.version, reference: reference.value, bookedOn: bookedOn.value },
    ...{ amountMinor: minor, currency: currency.value, text: words },
  };
}

/** The cells of a line; a cell in quotation marks may hold a semicolon, and a doubled mark for one. `null` where one is left open. */
function cellsOf(text: string): readonly string[] | null {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (isQuoted && sign === '"' && text.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (sign === ";" && !isQuoted) {
      cells.push(cell);
      cell = "";
    } else cell += sign;
  }
  return isQuoted ? null : [...cells, cell];
}

/** A day as `27.11.2026`; nothing shorter is guessed. */
export function readGermanDay(written: string): Read<string> {
  if (written === "") return { fault: "field_missing", says: "the day is empty" };
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(written) ?? [];
  if (day === undefined || month === undefined || year === undefined) {
    return { fault: "date_impossible", says: `the day is ${shortened(written)}, not DD.MM.YYYY` };
  }
  return readDay(year, month, day);
}

/** An amount as `-1.234,56`, in hundredths. Without the comma and its two digits it can be read in two ways, so it is not read. */
export function readGermanAmount(written: string): Read<number> {
  if (written === "") return { fault: "field_missing", says: "the amount is empty" };
  if (!/^-?(?:\d{1,3}(?:\.\d{3})*|\d{1,12}),\d{2}$/.test(written)) {
    return { fault: "amount_ambiguous", says: `the amount is ${shortened(written)}, not of the form 1.234,56` };
  }
  return readSize(Number(written.replaceAll(".", "").replace(",", "")));
}

function faulty(line: number, fault: FeedFault, says: string): FaultyRow {
  return { kind: "faulty", line, mapping: norda.version, fault, says };
}
