import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import { copiedTables, firstFilled } from "./copied-tables.ts";
import { inOwnersTransaction } from "./owners-transaction.ts";

/** Looks that a database holds nothing of ours, before a migration touches it. Throws `database_not_empty`. */
export async function refuseFilled(adminUrl: string): Promise<void> {
  const full = await inOwnersTransaction({ adminUrl, kind: "snapshot" }, async ({ tx }) => {
    const { rows } = await sql<{ found: boolean }>`select to_regnamespace('countersign') is not null as found`.execute(tx);
    return rows[0]?.found === true ? firstFilled(tx, await copiedTables(tx)) : null;
  });
  if (full !== null) throw notEmpty(full);
}

/** Says which table of a database to restore into holds rows. */
export function notEmpty(table: string): CountersignError {
  const message = `the database holds rows already (\`${table}\`), and a restore changes nothing that is there; give a new --directory, or an empty database`;
  return new CountersignError("database_not_empty", message, { facts: { table } });
}
