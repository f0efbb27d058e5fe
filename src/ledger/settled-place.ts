import { sql } from "kysely";
import { CountersignError } from "../contract/errors.ts";
import type { Tx } from "../store/database.ts";

/**
 * Refuses a place in the settled order that this database server has not reached. Entries keep the transaction that wrote them, so
 * after a restore into another server new ones would stand before what was read last: they would never be sealed nor admitted.
 * Throws `ledger_broken`. `xid` is the last transaction that a reader of the order has dealt with.
 */
export async function refusePlaceAhead({ tx, tenant, xid }: { tx: Tx; tenant: string; xid: string }): Promise<void> {
  const { rows } = await sql<{ next: string; ahead: boolean }>`
    select pg_snapshot_xmax(snapshot)::text as next, ${xid}::xid8 >= pg_snapshot_xmax(snapshot) as ahead
    from pg_current_snapshot() snapshot`.execute(tx);
  const [row] = rows;
  if (row === undefined || !row.ahead) return;
  const message =
    `the ledger of \`${tenant}\` was read up to transaction ${xid}, and this server's next one is ${row.next}: it was restored from a ` +
    `dump into another server, where new entries would never be sealed. Stop the processes, and restore what ` +
    `\`countersign backup\` wrote or a copy of the data directory instead, or bring the server's transaction counter past ${xid} before anything is written`;
  throw new CountersignError("ledger_broken", message, { facts: { tenant, xid, next: row.next } });
}
