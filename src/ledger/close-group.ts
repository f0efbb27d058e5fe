import type { DecisionRecord } from "../contract/decision.ts";
import { CountersignError, type ErrorCode } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { CallRecord } from "../contract/model.ts";
import type { Closed } from "../contract/ports.ts";
import type { BuiltEntry } from "./entries.ts";
import { tenantsOf } from "./open-group.ts";
import type { PipedCall } from "./pipe.ts";

/** A decision's record, built and serialised, so that nothing of it can fail its group. */
export interface Closing {
  readonly entry: BuiltEntry;
  readonly decisionId: string;
  readonly hash: Buffer;
  /** Rows of the table `spend`, as PostgreSQL writes composite values. */
  readonly spends: readonly string[];
}

/** Joins a built entry with the spend rows of its record. */
export function closingOf(record: DecisionRecord, entry: BuiltEntry): Closing {
  return { entry, decisionId: record.request.decisionId, hash: Buffer.from(entry.hash, "hex"), spends: spendsOfRecord(record) };
}

/** The rows of the table `spend` for a record's calls, as PostgreSQL writes composite values. */
export function spendsOfRecord({ request: { decisionId, principal }, calls, at }: DecisionRecord): readonly string[] {
  return calls.map((call, position) => spendOf({ tenant: principal.tenant, decisionId, position, call, at }));
}

function spendOf({
  tenant,
  decisionId,
  position,
  call: { purpose, model, outcome, usage, isUsageAssumed, costMicros, fault, stopReason, prices = "", held },
  at,
}: {
  tenant: string;
  decisionId: string;
  position: number;
  call: CallRecord;
  at: number;
}): string {
  const { inputTokens, cachedTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  const tokens = `${inputTokens},${cachedTokens},${cacheWriteTokens},${outputTokens},${reasoningTokens}`;
  // A model's id is the only word of it that is not ours.
  const named = `"${model.replace(/["\\]/g, "\\$&").replace(/\p{Cc}/gu, " ")}"`;
  // Refused is what no budget held: nothing was sent.
  const said = `${fault === "over_budget" ? "refused" : outcome},${tokens},${isUsageAssumed},${costMicros},${at}`;
  return `(${tenant},${decisionId},${position},${purpose},${named},${said},${fault ?? stopReason ?? ""},"${prices}",${Math.min(held?.tokens ?? 0, limits.tokensOfKind)},${held?.costMicros ?? 0})`;
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
    text: "select * from countersign.close_decisions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
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
      spendsOf(closings),
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

/** A line for each spend row. */
function spendsOf(closings: readonly Closing[]): string {
  return closings.flatMap(({ spends }) => spends).join("\n");
}
