import { sql } from "kysely";
import type { Database, Tx } from "../../../src/store/database.ts";

/** What one transaction read of one table: walks through it, and rows by whatever way. */
export interface Scan {
  readonly table: string;
  readonly sequential: number;
  readonly rows: number;
}

/** A database that notes at the end of each transaction which tables it read and how; PostgreSQL counts. */
export function countScans(database: Database): { database: Database; scans: Scan[] } {
  const scans: Scan[] = [];
  return {
    scans,
    database: {
      ...database,
      inTenant: (tenant, work) =>
        database.inTenant(tenant, async (tx) => {
          // The counts of a connection go on from one transaction to the next until they are handed in.
          const before = await readCounts(tx);
          const result = await work(tx);
          for (const { table, sequential, scanned, rows } of await readCounts(tx)) {
            const was = before.find((one) => one.table === table) ?? { sequential: 0, scanned: 0, rows: 0 };
            if (scanned > was.scanned) scans.push({ table, sequential: sequential - was.sequential, rows: rows - was.rows });
          }
          return result;
        }),
    },
  };
}

async function readCounts(tx: Tx): Promise<readonly (Scan & { scanned: number })[]> {
  const { rows } = await sql<Scan & { scanned: number }>`
    select relname as table, seq_scan::int as sequential, (seq_scan + coalesce(idx_scan, 0))::int as scanned,
      (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_xact_user_tables where schemaname = 'countersign'`.execute(tx);
  return rows;
}
