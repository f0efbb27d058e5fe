import { type LoadedContext, type RecordRow, rowsOf } from "countersign";
import { z } from "zod";
import { feedCurrencies, type MappedRow } from "../mappings/feed-row.ts";
import { custodians, mappings } from "../mappings/mappings.ts";
import type { Movement } from "../matching-rules.ts";

/** A feed is judged as the file that it is, however long ago it came in. */
export const anyAge = Number.MAX_SAFE_INTEGER;

const mapped = z.object({
  file: z.string(),
  line: z.int(),
  custodian: z.enum(custodians),
  mapping: z.string(),
  state: z.literal("mapped"),
  reference: z.string(),
  booked_on: z.iso.date(),
  amount_minor: z.int(),
  currency: z.enum(feedCurrencies),
  text: z.string(),
  repeats_line: z.int().nullable(),
  shares_reference: z.boolean(),
});
/** A row that the mapping could read, as the record query gives it. */
export type MappedRecord = z.infer<typeof mapped>;

const movement = z.object({
  id: z.string(),
  reference: z.string().nullable(),
  booked_on: z.iso.date(),
  amount_minor: z.int(),
  currency: z.enum(feedCurrencies),
  version: z.int(),
  state: z.enum(["open", "matched"]),
});

/** A row that the mapping could read, or `null` for one that it could not. */
export function mappedRecord({ row }: RecordRow): MappedRecord | null {
  const parsed = mapped.safeParse(row);
  return parsed.success ? parsed.data : null;
}

/** The row as the matching rules take it. */
export function ruledRow({ line, mapping, reference, booked_on, amount_minor, currency, text }: MappedRecord): MappedRow {
  return { kind: "mapped", line, mapping, reference, bookedOn: booked_on, amountMinor: amount_minor, currency, text };
}

/** The movements of the books that were loaded; `null` where one has another form, so that none is left out of a ruling. */
export function movementsOf(context: LoadedContext): readonly Movement[] | null {
  const parsed = rowsOf(context, "movement").map(({ row }) => movement.safeParse(row));
  return parsed.every((one) => one.success) ? parsed.map((one) => one.data) : null;
}

/** Says whether a row was read with the mapping that is in force. */
export function isOfCurrentMapping({ row }: RecordRow): boolean {
  const custodian = custodians.find((one) => one === row["custodian"]);
  return custodian !== undefined && mappings[custodian].version === row["mapping"];
}
