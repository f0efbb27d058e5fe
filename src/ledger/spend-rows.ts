import { sql } from "kysely";
import type { DecisionRecord } from "../contract/decision.ts";
import type { Database } from "../store/database.ts";
import { spendsOfRecord } from "./close-group.ts";

/** Keeps what the calls of a record cost that gets no entry, such as a rehearsal's; under the role `deciding`. */
export async function keepSpendOf(database: Database, record: DecisionRecord): Promise<void> {
  const rows = spendsOfRecord(record);
  if (rows.length === 0) return;
  await database.inTenant(record.request.principal.tenant, (tx) =>
    sql`
      insert into countersign.spend
      select (made.spend).* from (
        select line::countersign.spend as spend from string_to_table(${rows.join("\n")}, E'\n') as line offset 0) as made`.execute(
      tx,
    ),
  );
}
