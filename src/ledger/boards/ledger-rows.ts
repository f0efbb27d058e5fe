import { sql } from "kysely";
import type { EntryKind } from "../../contract/words.ts";
import type { Tx } from "../../store/database.ts";
import type { EntryRow } from "../read-entry.ts";

/** An entry with its place in the chain and its payload. */
export interface LedgerRow extends Omit<EntryRow, "writer"> {
  readonly writer: string;
  readonly decision_id: string | null;
  readonly hash: Buffer;
  readonly sealed_at: Date | null;
  readonly prev_hash: Buffer | null;
}

/** Which sealed entries are listed, by their places in the chain, the last first. */
export interface LedgerQuestion {
  readonly tenant: string;
  readonly kind: EntryKind | null;
  readonly writer: string | null;
  readonly decisionId: string | null;
  /** Places from this one on, and before that one. */
  readonly from: number;
  readonly before: number;
  readonly limit: number;
}

const columns = sql`entry.id, entry.kind, entry.ts, entry.writer, entry.cause, entry.capability, entry.route, entry.effects, entry.body, entry.hash,
  entry.decision_id`;

/** The sealed entries of a stretch of the chain. Their payloads are not read. */
export async function readSealedRows(tx: Tx, question: LedgerQuestion): Promise<readonly LedgerRow[]> {
  const { tenant, kind, writer, decisionId, from, before, limit } = question;
  const { rows } = await sql<LedgerRow>`
    select ${columns}, seal.seq, seal.sealed_at, seal.prev_hash, null as payload, false as has_payload
    from countersign.seal join countersign.entry on entry.tenant = seal.tenant and entry.id = seal.entry_id
    where seal.tenant = ${tenant} and seal.seq >= ${from} and seal.seq < ${before}
      ${kind === null ? sql`` : sql`and entry.kind = ${kind}`}
      ${writer === null ? sql`` : sql`and entry.writer = ${writer}`}
      ${decisionId === null ? sql`` : sql`and entry.decision_id = ${decisionId}`}
    order by seal.seq desc limit ${limit}`.execute(tx);
  return rows;
}

/** How many of the newest entries are looked at for those without a seal: a worker seals within a second. */
export const newestLookedAt = 1_000;

/** Of the newest entries those that have no seal yet, in their order; at most `limit`. Ids grow with time. */
export async function readUnsealedRows(
  tx: Tx,
  { tenant, limit }: { tenant: string; limit: number },
): Promise<readonly LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select ${columns}, null as seq, null as sealed_at, null as prev_hash, null as payload, false as has_payload
    from (
      select * from countersign.entry where entry.tenant = ${tenant} order by entry.id desc limit ${newestLookedAt}
    ) entry
    left join lateral (
      select seq from countersign.seal where seal.tenant = ${tenant} and seal.entry_id = entry.id limit 1) seal on true
    where seal.seq is null
    order by entry.xid, entry.n limit ${limit}`.execute(tx);
  return rows;
}

/** One entry with its payload; `null` where there is none of that id. */
export async function readLedgerRow(tx: Tx, { tenant, id }: { tenant: string; id: string }): Promise<LedgerRow | null> {
  const { rows } = await sql<LedgerRow>`
    select ${columns}, seal.seq, seal.sealed_at, seal.prev_hash, payload.body as payload, payload.entry_id is not null as has_payload
    from countersign.entry
    left join countersign.seal on seal.tenant = entry.tenant and seal.entry_id = entry.id
    left join countersign.payload on payload.tenant = entry.tenant and payload.entry_id = entry.id
    where entry.tenant = ${tenant} and entry.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** The places that a decision's entries have in the chain: the first, and the one after the last; `null` where none is sealed. */
export async function placesOf(
  tx: Tx,
  { tenant, decisionId }: { tenant: string; decisionId: string },
): Promise<{ readonly from: number; readonly before: number } | null> {
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select min(seal.seq) as first, max(seal.seq) as last from (
      select id from countersign.entry
      where tenant = ${tenant} and decision_id = ${decisionId} and kind in ('decided', 'stopped')
      union all
      select id from countersign.entry
      where tenant = ${tenant} and decision_id = ${decisionId} and kind not in ('decided', 'stopped')
    ) own join countersign.seal on seal.tenant = ${tenant} and seal.entry_id = own.id`.execute(tx);
  const { first = null, last = null } = rows[0] ?? {};
  return first === null || last === null ? null : { from: Number(first), before: Number(last) + 1 };
}

/** The last link of a tenant's chain; `null` where nothing is sealed. */
export async function readLastSeal(tx: Tx, tenant: string) {
  const { rows } = await sql<{ seq: string; entry_id: string; prev_hash: Buffer; entry_hash: Buffer }>`
    select seq, entry_id, prev_hash, entry_hash from countersign.seal where tenant = ${tenant} order by seq desc limit 1`.execute(
    tx,
  );
  const row = rows[0];
  if (row === undefined) return null;
  return { tenant, seq: Number(row.seq), entryId: row.entry_id, prevHash: row.prev_hash, entryHash: row.entry_hash };
}

/** The first place that was sealed at or after an instant, `head` + 1 where none was: places are given out in the order of time. */
export async function placeAt(tx: Tx, { tenant, at, head }: { tenant: string; at: number; head: number }): Promise<number> {
  let [low, high] = [1, head + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { rows } = await sql<{ at: Date }>`
      select sealed_at as at from countersign.seal where tenant = ${tenant} and seq = ${middle}`.execute(tx);
    if (rows[0] !== undefined && rows[0].at.getTime() >= at) high = middle;
    else low = middle + 1;
  }
  return low;
}
