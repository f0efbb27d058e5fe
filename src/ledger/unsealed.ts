import { sql } from "kysely";
import type { Database } from "../store/database.ts";

/** The age of a tenant's oldest entry without a seal, in milliseconds by the store's clock; `null` where all are sealed. */
export function oldestUnsealedMs({ database, tenant }: { database: Database; tenant: string }): Promise<number | null> {
  return database.inTenant(tenant, async (tx) => {
    // The oldest is the first after the place of the last seal; without that place the index of the order would be walked whole.
    const { rows } = await sql<{ age: string }>`
      with last as (
        select entry.xid, entry.n from (select entry_id from seal where tenant = ${tenant} order by seq desc limit 1) seal
        join entry on entry.tenant = ${tenant} and entry.id = seal.entry_id
      )
      select (extract(epoch from clock_timestamp()) * 1000)::bigint - entry.ts as age from entry
      where entry.tenant = ${tenant}
        and (entry.xid, entry.n) > (coalesce((select xid from last), '0'::xid8), coalesce((select n from last), 0))
      order by entry.xid, entry.n limit 1`.execute(tx);
    return rows[0] === undefined ? null : Math.max(0, Number(rows[0].age));
  });
}
