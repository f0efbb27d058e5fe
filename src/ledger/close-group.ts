import type { DecisionRecord } from "../contract/decision.ts";
import { CountersignError, type ErrorCode } from "../contract/errors.ts";
import type { Closed } from "../contract/ports.ts";
import type { BuiltEntry } from "./entries.ts";
import { tenantsOf } from "./open-group.ts";
import type { PipedCall } from "./pipe.ts";

/** A decision's record, built and serialised, so that nothing of it can fail its group. */
export interface Closing {
  readonly entry: BuiltEntry;
  readonly decisionId: string;
  readonly hash: Buffer;
  readonly notes: readonly NoteRow[];
  readonly spends: readonly SpendRow[];
}

type Owner = { readonly tenant: string; readonly decision_id: string; readonly position: number };
type NoteRow = Owner & { readonly body: string };
type SpendRow = Owner & { readonly [column: string]: string | number };

/** Joins a built entry with the note and spend rows of its record. */
export function closingOf(record: DecisionRecord, entry: BuiltEntry): Closing {
  const { decisionId, principal } = record.request;
  const owner = (position: number): Owner => ({ tenant: principal.tenant, decision_id: decisionId, position });
  const notes = record.notes.map(({ text }, i) => ({ ...owner(i), body: text }));
  const spends = record.calls.map((call, i) => ({
    ...owner(i),
    purpose: call.purpose,
    model: call.model,
    outcome: call.outcome,
    input_tokens: call.usage.inputTokens,
    cached_tokens: call.usage.cachedTokens,
    cache_write_tokens: call.usage.cacheWriteTokens,
    output_tokens: call.usage.outputTokens,
    reasoning_tokens: call.usage.reasoningTokens,
    cost_micros: call.costMicros,
    ts: record.at,
  }));
  return { entry, decisionId, hash: Buffer.from(entry.hash, "hex"), notes, spends };
}

/** The bytes of a closing on the wire, roughly. */
export function sizeOfClosing({ entry }: Closing): number {
  return entry.bytes.length + (entry.payload?.length ?? 0) + 512;
}

/** The call that ends a group of decisions in one commit. */
export function closeCall(closings: readonly Closing[]): PipedCall {
  const column = (of: (entry: BuiltEntry) => string | number): string => closings.map(({ entry }) => of(entry)).join("\n");
  const payloads = closings.map(({ entry }) => entry.payload ?? Buffer.alloc(0));
  return {
    name: "close_decisions",
    text: "select * from countersign.close_decisions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)",
    values: [
      tenantsOf(closings.map(({ entry }) => entry.columns.tenant)),
      closings.length,
      column(({ columns }) => columns.tenant),
      closings.map(({ decisionId }) => decisionId).join("\n"),
      column(({ id }) => id),
      column(({ columns }) => columns.kind),
      column(({ columns }) => columns.cause ?? ""),
      column(({ columns }) => columns.capability ?? ""),
      column(({ columns }) => columns.route ?? ""),
      column(({ columns }) => columns.effects),
      column(({ columns }) => columns.ts),
      column(({ bytes }) => bytes),
      Buffer.concat(closings.map(({ hash }) => hash)),
      Buffer.concat(payloads),
      startsOf(payloads).join("\n"),
      payloads.map((payload) => payload.length).join("\n"),
      rowsOf(closings, "notes"),
      rowsOf(closings, "spends"),
    ],
  };
}

/** What became of one closing: its end, or why it has none. */
export type ClosedOrFailed = Closed | { readonly kind: "failed"; readonly code: ErrorCode; readonly message: string };

/** What the rows of `closeCall` say of each closing; no rows mean that all were ended by this call. */
export function closedBy(closings: readonly Closing[], rows: readonly (readonly unknown[])[]): readonly ClosedOrFailed[] {
  const found = new Map(rows.map(([place, id, hash]) => [Number(place), { id, hash }]));
  return closings.map((closing, i): ClosedOrFailed => {
    const standing = found.get(i + 1);
    if (standing === undefined) return { kind: "closed", entryId: closing.entry.id };
    if (!Buffer.isBuffer(standing.hash))
      return { kind: "failed", code: "internal", message: "a decision was closed that never began" };
    // Ended before this call: by itself where the answer was lost, else by the sweeper or by another close.
    return standing.hash.equals(closing.hash) ? { kind: "closed", entryId: closing.entry.id } : { kind: "lost" };
  });
}

/** Throws what `ClosedOrFailed` tells of a failure, and returns an end. */
export function endOf(closed: ClosedOrFailed): Closed {
  if (closed.kind !== "failed") return closed;
  throw new CountersignError(closed.code, closed.message);
}

/** Where each payload begins in the joined bytes, counted from 1 as SQL does. */
function startsOf(payloads: readonly Buffer[]): number[] {
  let next = 1;
  return payloads.map((payload) => {
    const start = next;
    next += payload.length;
    return start;
  });
}

function rowsOf(closings: readonly Closing[], of: "notes" | "spends"): string | null {
  const rows = closings.flatMap((closing): readonly Owner[] => closing[of]);
  return rows.length === 0 ? null : JSON.stringify(rows);
}
