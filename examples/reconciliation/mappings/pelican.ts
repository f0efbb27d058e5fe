import { z } from "zod";
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
 * Pelican Trust sends JSON: days as `YYYY-MM-DD`, amounts as whole minor units without a sign, and beside them on which side they stand.
 * A sign on an amount contradicts that and is a fault, as is an amount that is text.
 */
export const pelican: Mapping = { custodian: "pelican", version: "pelican-1", read };

const feed = z.object({ custodian: z.literal("pelican"), movements: z.array(z.unknown()) });
const fields = ["id", "bookedOn", "amountMinor", "side", "currency", "text"] as const;
type Written = Readonly<Record<(typeof fields)[number], unknown>>;

function read(file: string): readonly FeedRow[] {
  const parsed = feed.safeParse(parse(file));
  if (!parsed.success) return [faulty(1, "feed_unreadable", `the file is not a feed of ${pelican.version}`)];
  return parsed.data.movements.map((movement, place) => readMovement(movement, place + 1));
}

function parse(file: string): unknown {
  try {
    return JSON.parse(file.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

function readMovement(movement: unknown, line: number): FeedRow {
  if (typeof movement !== "object" || movement === null || Array.isArray(movement)) {
    return faulty(line, "columns_differ", "the movement is no object");
  }
  const missing = fields.find((field) => !Object.hasOwn(movement, field));
  if (missing !== undefined) return faulty(line, "field_missing", `there is no ${missing}`);
  const unknown = Object.keys(movement).find((field) => !fields.some((known) => known === field));
  if (unknown !== undefined) return faulty(line, "field_unknown", `${pelican.version} knows no field ${shortened(unknown)}`);
  const written = movement as Written; // has each field, see above
  const bookedOn = readIsoDay(written.bookedOn);
  const reference = readReference(textOf(written.id));
  const amount = readSided(written.amountMinor, written.side);
  const currency = readCurrency(textOf(written.currency));
  for (const field of [bookedOn, reference, amount, currency]) {
    if ("fault" in field) return faulty(line, field.fault, field.says);
  }
  if ("fault" in bookedOn || "fault" in reference || "fault" in amount || "fault" in currency) throw new Error("looked at above");
  return {
    ...{ kind: "mapped", line, mapping: pelican.version, reference: reference.value, bookedOn: bookedOn.value },
    ...{ amountMinor: amount.value, currency: currency.value, text: textOf(written.text) },
  };
}

/** A day as `2026-11-27`, without a time of day. */
export function readIsoDay(written: unknown): Read<string> {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(textOf(written)) ?? [];
  if (year === undefined || month === undefined || day === undefined) {
    return { fault: "date_impossible", says: `the day is ${shortened(String(written))}, not YYYY-MM-DD` };
  }
  return readDay(year, month, day);
}

/** Whole minor units and a side, as one number with a sign. */
export function readSided(amount: unknown, side: unknown): Read<number> {
  if (typeof amount !== "number" || !Number.isInteger(amount)) {
    return { fault: "amount_not_whole", says: `the amount is ${shortened(String(amount))}, not a whole number` };
  }
  if (side !== "debit" && side !== "credit") return { fault: "field_missing", says: "the side is neither debit nor credit" };
  if (amount < 0) return { fault: "sign_contradicts", says: `the amount has a sign of its own beside ${side}` };
  return readSize(side === "debit" ? -amount : amount);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function faulty(line: number, fault: FeedFault, says: string): FaultyRow {
  return { kind: "faulty", line, mapping: pelican.version, fault, says };
}
