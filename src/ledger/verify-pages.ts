import { sql } from "kysely";
import type { Tx } from "../store/database.ts";
import type { Link } from "./chain.ts";
import type { StoredEntry } from "./verify-entry.ts";

/** A link of the chain with its entry as stored; `null` where the entry is gone. */
export interface LinkedEntry {
  readonly link: Link;
  readonly entry: StoredEntry | null;
}

/** The links after a seq, in order, at most `limit`. */
export async function readLinks({
  tx,
  tenant,
  after,
  limit,
}: {
  tx: Tx;
  tenant: string;
  after: number;
  limit: number;
}): Promise<readonly LinkedEntry[]> {
  const { rows } = await sql<SealRow & Nullable<StoredEntry>>`
    select seal.seq, seal.entry_id, seal.prev_hash, seal.entry_hash, ${entryColumns}
    from countersign.seal
    left join countersign.entry on entry.tenant = seal.tenant and entry.id = seal.entry_id
    left join countersign.payload on payload.tenant = seal.tenant and payload.entry_id = seal.entry_id
    where seal.tenant = ${tenant} and seal.seq > ${after} order by seal.seq limit ${limit}`.execute(tx);
  return rows.map((row) => ({
    link: { tenant, seq: Number(row.seq), entryId: row.entry_id, prevHash: row.prev_hash, entryHash: row.entry_hash },
    // The primary key tells whether the join found the entry; its other columns are not null then, by the table's definition.
    entry: row.id === null ? null : (row as StoredEntry),
  }));
}

/** Where an entry stands in the settled order; what is before everything where there is no entry. */
export interface Place {
  readonly xid: string;
  readonly n: string;
}

/** The place before every entry. */
export const beforeAll: Place = { xid: "0", n: "0" };

/** The place of an entry in the settled order, or `null` where it is gone. */
export async function placeOf({ tx, tenant, entryId }: { tx: Tx; tenant: string; entryId: string }): Promise<Place | null> {
  const { rows } = await sql<Place>`
    select xid::text as xid, n::text as n from countersign.entry where tenant = ${tenant} and id = ${entryId}`.execute(tx);
  return rows[0] ?? null;
}

/** The first entry in a stretch of the settled order that has no seal: after one place, up to another, both optional. */
export async function firstUnsealed({
  tx,
  tenant,
  after,
  upTo,
}: {
  tx: Tx;
  tenant: string;
  after: Place;
  upTo: Place;
}): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from countersign.entry
    where tenant = ${tenant} and (xid, n) > (${after.xid}::xid8, ${after.n}::bigint) and (xid, n) <= (${upTo.xid}::xid8, ${upTo.n}::bigint)
      and not exists (select from countersign.seal where seal.tenant = entry.tenant and seal.entry_id = entry.id)
    order by xid, n limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

/** How long ago a tenant's chain was begun, in milliseconds by the store's clock; `null` where it is empty. */
export async function ageOfChainMs({ tx, tenant }: { tx: Tx; tenant: string }): Promise<number | null> {
  const { rows } = await sql<{ ms: string }>`
    select (extract(epoch from clock_timestamp() - sealed_at) * 1000)::bigint as ms
    from countersign.seal where tenant = ${tenant} order by seq limit 1`.execute(tx);
  return rows[0] === undefined ? null : Number(rows[0].ms);
}

/** Entries after a place that are not sealed yet, in order, at most `limit`. */
export async function readUnsealed({
  tx,
  tenant,
  after,
  limit,
}: {
  tx: Tx;
  tenant: string;
  after: Place;
  limit: number;
}): Promise<readonly (StoredEntry & Place)[]> {
  const { rows } = await sql<StoredEntry & Place>`
    select ${entryColumns}, entry.xid::text as xid, entry.n::text as n
    from countersign.entry
    left join countersign.payload on payload.tenant = entry.tenant and payload.entry_id = entry.id
    where entry.tenant = ${tenant} and (entry.xid, entry.n) > (${after.xid}::xid8, ${after.n}::bigint)
      and not exists (select from countersign.seal where seal.tenant = entry.tenant and seal.entry_id = entry.id)
    order by entry.xid, entry.n limit ${limit}`.execute(tx);
  return rows;
}

type SealRow = { readonly seq: string; readonly entry_id: string; readonly prev_hash: Buffer; readonly entry_hash: Buffer };
type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

const entryColumns = sql`entry.id, entry.tenant, entry.kind, entry.decision_id, entry.cause, entry.capability, entry.route, entry.effects,
  entry.ts, entry.writer, entry.body, entry.hash, payload.entry_id is not null as has_payload, payload.body as payload`;
