/**
 * Bills of providers as lines of a day, a model and an amount. Read forms: the costs export of OpenAI ("start_time_iso", "line_item",
 * "amount_value"), the cost export of Anthropic's console ("usage_date_utc", "model", "cost_usd"), and a plain one of our own: "day",
 * "model", "amount". Columns may stand in any order, and others beside them.
 */
import { parse } from "csv-parse/sync";
import { CountersignError } from "../../contract/errors.ts";

/** The forms, in the order in which they are tried. */
export const billForms = ["openai", "anthropic", "plain"] as const;
export type BillForm = (typeof billForms)[number];

/** One line of a bill: what a model cost on a day in UTC, in millionths; several lines of one day and model add up. */
export interface BillLine {
  readonly day: string;
  readonly model: string;
  readonly micros: number;
}

const columnsOf: Readonly<Record<BillForm, { day: string; model: string; amount: string }>> = {
  openai: { day: "start_time_iso", model: "line_item", amount: "amount_value" },
  anthropic: { day: "usage_date_utc", model: "model", amount: "cost_usd" },
  plain: { day: "day", model: "model", amount: "amount" },
};

/**
 * Reads a bill. `provider` stands before the models' names, as in the ledger. Throws `bad_request` for what is no CSV of a known form, and
 * names the line whose day or amount cannot be read; nothing is skipped.
 */
export function readBill(
  text: string,
  provider: string | null,
): { readonly form: BillForm; readonly lines: readonly BillLine[] } {
  const rows = rowsOf(text);
  const names = Object.keys(rows[0] ?? {});
  const form = billForms.find((one) => Object.values(columnsOf[one]).every((column) => names.includes(column)));
  if (form === undefined) {
    const known = billForms.map((one) => `${one} (${Object.values(columnsOf[one]).join(", ")})`).join("; ");
    throw wrong(`its columns are ${names.slice(0, 12).join(", ") || "none"}; known forms: ${known}`);
  }
  const columns = columnsOf[form];
  const prefix = provider ?? (form === "plain" ? null : form);
  return {
    form,
    lines: rows.map((row, at) => ({
      day: dayOf(row[columns.day] ?? "", at),
      model: modelOf(row[columns.model] ?? "", prefix),
      micros: microsOf(row[columns.amount] ?? "", at),
    })),
  };
}

function rowsOf(text: string): Record<string, string>[] {
  try {
    return parse(text, { columns: true, bom: true, skip_empty_lines: true, trim: true }) as Record<string, string>[]; // by `columns`
  } catch (cause) {
    throw new CountersignError("bad_request", "the bill is no CSV: a header, then one row a line, each as long as the header", {
      cause,
    });
  }
}

function dayOf(said: string, at: number): string {
  const day = said.slice(0, 10);
  const time = Date.parse(day);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day)
    throw wrong(`line ${at + 2} has no day such as 2026-03-31`);
  return day;
}

/** OpenAI's line items say what of a model they are for behind a comma: "gpt-5-2025-08-07, cached input". */
function modelOf(said: string, prefix: string | null): string {
  const id = (said.split(",")[0] ?? "").trim();
  return prefix === null || id.includes("/") ? id : `${prefix}/${id}`;
}

/** Decimal text to millionths, exact: what is beyond the sixth digit is rounded half up. */
function microsOf(said: string, at: number): number {
  const read = /^(-?)\$?(\d{1,12})(?:\.(\d{0,18}))?$/.exec(said.replace(/,(?=\d{3}(?:\D|$))/g, ""));
  if (read === null) throw wrong(`line ${at + 2} has no amount such as 12.34`);
  const [, sign, whole = "0", decimals = ""] = read;
  const scaled = BigInt(`${whole}${decimals.padEnd(7, "0").slice(0, 7)}`);
  const micros = Number((scaled + 5n) / 10n);
  return sign === "-" ? -micros : micros;
}

function wrong(why: string): CountersignError {
  return new CountersignError("bad_request", `the bill cannot be read: ${why}`);
}
