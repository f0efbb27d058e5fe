import { sql } from "kysely";
import type { Eraser } from "./erase.ts";

/** A place in the settled order of a tenant's entries. */
export interface Place {
  readonly xid: string;
  readonly n: string;
}

/** How often a place says that somebody still walks, in milliseconds. */
const seenMs = 3_600_000;

/**
 * The place up to which a reader has walked, from the beginning where it never did, and nobody else's until the transaction ends.
 * `undefined` where another worker has it.
 */
export async function lockPlace({ tx, tenant, now }: Eraser, reader: string): Promise<Place | undefined> {
  await sql`
    insert into countersign.progress (tenant, reader, xid, n, seen_at) values (${tenant}, ${reader}, '0', 0, to_timestamp(${now} / 1000.0))
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<Place>`
    select xid::text as xid, n::text as n from countersign.progress
    where tenant = ${tenant} and reader = ${reader} for update skip locked`.execute(tx);
  if (rows[0] === undefined) return undefined;
  await sql`
    update countersign.progress set seen_at = to_timestamp(${now} / 1000.0)
    where tenant = ${tenant} and reader = ${reader} and seen_at < to_timestamp(${now - seenMs} / 1000.0)`.execute(tx);
  return rows[0];
}

/** Moves a reader's place on to the last entry that it walked over. */
export async function movePlace({ tx, tenant }: Eraser, { reader, last }: { reader: string; last: Place }): Promise<void> {
  await sql`
    update countersign.progress set xid = ${last.xid}::xid8, n = ${last.n}::bigint
    where tenant = ${tenant} and reader = ${reader}`.execute(tx);
}
