import { sql } from "kysely";
import type { Tx } from "../store/database.ts";

/** What waits to be done or told, over all tenants that the transaction names. Times in milliseconds by the database's clock. */
export interface Backlog {
  readonly queues: readonly {
    readonly queue: "operations" | "wanted" | "reviews" | "notices";
    readonly length: number;
    /** How long the oldest is overdue: for a review since it was asked for, for the others since it was due. */
    readonly overdueMs: number;
  }[];
  /** The age of the oldest entry without a seal; 0 where all are sealed. */
  readonly sealLagMs: number;
}

/** Reads how much waits and for how long, under the role `acting`; each count stands in an index of what is open alone. */
export async function readBacklog(tx: Tx): Promise<Backlog> {
  const queues = await sql<{ queue: Backlog["queues"][number]["queue"]; length: number; overdueMs: number }>`
    select 'operations' as queue, count(*)::int as length, ${overdue("min(due_at)")} as "overdueMs" from operation
      where state in ('applying', 'applied', 'incomplete', 'unknown', 'retrying', 'compensating')
    union all select 'wanted', count(*)::int, ${overdue("min(due_at)")} from wanted where state = 'waiting'
    union all select 'reviews', count(*)::int, ${overdue("min(uuid_extract_timestamp(decision_id))")} from waiting
    union all select 'notices', count(*)::int, ${overdue("min(due_at)")} from notice where state = 'waiting'`.execute(tx);
  const lag = await sql<{ lag: number }>`
    select coalesce(max(greatest(0, extract(epoch from clock_timestamp()) * 1000 - oldest.ts)), 0)::float8 as lag
    from unnest(string_to_array(current_setting('countersign.tenants'), ',')) as named (tenant)
    cross join lateral (select entry.ts from entry where entry.tenant = named.tenant
      and (entry.xid, entry.n) > (coalesce((select last.xid from seal join entry last on last.tenant = seal.tenant and last.id = seal.entry_id
          where seal.tenant = named.tenant order by seal.seq desc limit 1), '0'::xid8),
        coalesce((select last.n from seal join entry last on last.tenant = seal.tenant and last.id = seal.entry_id
          where seal.tenant = named.tenant order by seal.seq desc limit 1), 0))
      order by entry.xid, entry.n limit 1) as oldest`.execute(tx);
  return { queues: queues.rows, sealLagMs: lag.rows[0]?.lag ?? 0 };
}

/** `when` is an expression of this file. */
function overdue(when: string) {
  return sql.raw<number>(`coalesce(greatest(0, extract(epoch from clock_timestamp() - ${when}) * 1000), 0)::float8`);
}
