/**
 * What a run cost PostgreSQL: WAL bytes and durable commits, read from the server and not from what the runtime claims.
 * Reads only; takes no transaction number itself, so it does not count its own looking.
 */
import type { ClientBase } from "pg";
import { CountersignError } from "../../src/contract/errors.ts";

/** Where the server's log and its transaction counter stand. */
export interface WalSnapshot {
  /** Position in the write-ahead log, in bytes since its beginning. */
  readonly walBytes: bigint;
  /** The transaction number that comes after the newest ended one, with its epoch. */
  readonly nextXid: bigint;
}

/** What lies between two snapshots. */
export interface WalUse {
  readonly walBytes: number;
  /** Transactions that were given a number, and so wrote WAL of their own and had it flushed at commit. */
  readonly durableCommits: number;
}

/**
 * Reads the server's log position and transaction counter.
 *
 * PostgreSQL gives a transaction a number only when it writes its first row or takes its first row lock; one that only
 * reads commits without. So the counter's difference is exactly the number of transactions that wrote, where
 * `xact_commit` also counts the readers and the count of fsyncs is smaller as soon as commits share one. Take both
 * snapshots while no writer is busy. The counter is the whole server's: savepoints, rollbacks after a write, and
 * autovacuum's `ANALYZE` (a handful a minute) are in it, so it errs against the one who is measured.
 */
export async function walSnapshot(client: ClientBase): Promise<WalSnapshot> {
  const { rows } = await client.query<{ bytes: string; xid: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes,
            pg_snapshot_xmax(pg_current_snapshot())::text as xid`,
  );
  const row = first(rows);
  return { walBytes: BigInt(row.bytes), nextXid: BigInt(row.xid) };
}

/** Subtracts two snapshots; `before` was taken first. */
export function walBetween({ before, after }: { before: WalSnapshot; after: WalSnapshot }): WalUse {
  return { walBytes: Number(after.walBytes - before.walBytes), durableCommits: Number(after.nextXid - before.nextXid) };
}

/**
 * Counts the transactions between two snapshots that inserted rows into one table which still hold: every row keeps the
 * number of the transaction that made it. With the table of seals this sets the sealer's commits apart. `table` is
 * trusted SQL, schema included; the run must be shorter than 2^31 transactions.
 */
export async function insertTransactions(
  client: ClientBase,
  { table, before, after }: { table: string; before: WalSnapshot; after: WalSnapshot },
): Promise<number> {
  // A row keeps the low 32 bits only; the distance from `before`, modulo 2^32, restores the order.
  const { rows } = await client.query<{ count: string }>(
    `select count(distinct xmin::text)::text as count from ${table}
     where (xmin::text::bigint - $1::bigint + 4294967296) % 4294967296 < $2::bigint`,
    [(before.nextXid % 4_294_967_296n).toString(), (after.nextXid - before.nextXid).toString()],
  );
  return Number(first(rows).count);
}

/** The nearest-rank quantile of ascending values: `q` from 0 to 1; 0 for no values. */
export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0;
}

function first<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new CountersignError("internal", "the database answered a measurement without a row");
  return row;
}
