import { effectDraft, from, type RecordRow } from "countersign";
import { postAdjustment, postMatch } from "../effects.ts";
import { rulesVersion } from "../matching-rules.ts";
import type { MappedRecord } from "./feed-record.ts";

/** What a posting is drafted from: the row, the movement where there is one, and what the rules said. */
export interface Drafting {
  readonly said: { readonly name: string; readonly differenceMinor: number };
  readonly source: RecordRow;
  readonly row: MappedRecord;
  readonly movement: RecordRow | null;
}

/** The posting of a match. Throws without a movement: the rules name one. */
export function matchDraft(drafting: Drafting) {
  const { said, row, movement } = drafting;
  const { params, sources } = rowPart(drafting);
  if (movement === null) throw new Error("a match has a movement");
  const rule = said.name === "exact_reference" ? ("exact_reference" as const) : ("amount_and_date" as const);
  return effectDraft(postMatch, {
    params: {
      ...params,
      movement: String(movement.row["id"]),
      version: Number(movement.row["version"]),
      amountMinor: row.amount_minor,
      rule,
    },
    sources: {
      ...sources,
      "/movement": from.record(movement, "/id"),
      "/version": from.record(movement, "/version"),
      "/amountMinor": from.record(movement, "/amount_minor"),
      "/rule": from.calculation("matchRow"),
    },
  });
}

/** The booking of a difference, or of what is missing; a person signs it. */
export function adjustmentDraft(drafting: Drafting) {
  const { said, row, movement } = drafting;
  const { params, sources } = rowPart(drafting);
  const ruled = from.calculation("matchRow");
  return effectDraft(postAdjustment, {
    params: {
      ...params,
      kind: movement === null ? ("missing_in_books" as const) : ("difference" as const),
      bookedOn: row.booked_on,
      movement: movement === null ? null : String(movement.row["id"]),
      version: movement === null ? null : Number(movement.row["version"]),
      differenceMinor: said.differenceMinor,
    },
    sources: {
      ...sources,
      "/kind": ruled,
      "/bookedOn": from.record(drafting.source, "/booked_on"),
      "/movement": movement === null ? ruled : from.record(movement, "/id"),
      "/version": movement === null ? ruled : from.record(movement, "/version"),
      "/differenceMinor": ruled,
    },
  });
}

/** Every row that goes into the books carries the versions that it was read and ruled by. */
function rowPart({ source, row }: Drafting) {
  const field = (name: string) => from.record(source, `/${name}`);
  return {
    params: {
      ...{ custodian: row.custodian, reference: row.reference, file: row.file, line: row.line, currency: row.currency },
      ...{ mappingVersion: row.mapping, rulesVersion },
    },
    sources: {
      ...{ "/custodian": field("custodian"), "/reference": field("reference"), "/file": field("file"), "/line": field("line") },
      ...{ "/currency": field("currency"), "/mappingVersion": field("mapping"), "/rulesVersion": from.constant() },
    },
  };
}
