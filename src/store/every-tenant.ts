import { sql } from "kysely";
import { checkTenant, type Database, type Tx } from "./database.ts";

/** Runs one query over all tenants at once, for finding out whose work is due; the work itself is done tenant by tenant. */
export async function acrossTenants<T>({
  database,
  look,
}: {
  database: Database;
  look: (tx: Tx) => Promise<T>;
}): Promise<T | null> {
  const tenants = await database.tenants();
  const first = tenants[0];
  if (first === undefined) return null;
  for (const tenant of tenants) checkTenant(tenant);
  return database.inTenant(first, async (tx) => {
    await sql`select set_config('countersign.tenants', ${tenants.join(",")}, true)`.execute(tx);
    return look(tx);
  });
}
