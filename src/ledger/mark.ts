import { sql } from "kysely";
import type { Tx } from "../store/database.ts";

/** A text that changes whenever a decision moves; cheap to read, since it opens no payload. The same text means that nothing happened. */
export async function readMark({ tx, tenant, decisionId }: { tx: Tx; tenant: string; decisionId: string }): Promise<string> {
  // Entries are only ever added, so their number is enough; the state of an operation may move before its entry is written.
  const { rows } = await sql<{ mark: string }>`
    select concat_ws(' ',
      (select count(*) from countersign.entry
        where tenant = ${tenant} and decision_id = ${decisionId} and kind not in ('decided', 'stopped')),
      (select string_agg(id::text || ' ' || state, ' ' order by id) from countersign.operation
        where tenant = ${tenant} and decision_id = ${decisionId})) as mark`.execute(tx);
  return rows[0]?.mark ?? "";
}
