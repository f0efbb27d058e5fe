import { sql } from "kysely";
import type { Tx } from "./database.ts";

/** Reads the store's clock, in milliseconds since the epoch. Leases, deadlines and expiry follow it, so machines need not agree. */
export type StoreTime = (tx: Tx) => Promise<number>;

/** The database server's clock at the moment of asking, not at the start of the transaction. */
export const databaseTime: StoreTime = async (tx) => {
  const { rows } = await sql<{ ms: string }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(
    tx,
  );
  return Number(rows[0]?.ms);
};
