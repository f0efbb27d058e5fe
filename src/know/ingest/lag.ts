import { sql } from "kysely";
import type { Tx } from "../../store/database.ts";

/** How old the instant is that the index of a source is good for, in milliseconds; the highest of the tenants that the transaction names. */
export interface SourceLag {
  readonly source: string;
  readonly behindMs: number;
}

/** Reads how far each source is behind; one whose first run is not complete is not told. Under the role `ingesting`. */
export async function readSourceLags(tx: Tx): Promise<readonly SourceLag[]> {
  const { rows } = await sql<SourceLag>`
    select name as source, greatest(0, max(extract(epoch from clock_timestamp() - fresh_as_of) * 1000))::float8 as "behindMs"
    from source where fresh_as_of is not null group by name order by name collate "C"`.execute(tx);
  return rows;
}
