// The document sources of a tenant, and how far the index is behind them. Never writes.
import { sql } from "kysely";
import type { Door } from "../../contract/permitted.ts";
import type { Principal } from "../../contract/principal.ts";
import type { SourceView } from "../../contract/source-view.ts";
import type { Database, Tx } from "../../store/database.ts";

/** What people are told of sources; `forbidden` for whoever that board is not open to. */
export interface SourceBoard {
  /** By name; a source that none of this principal's labels open is not in it. */
  readonly sources: (asking: { principal: Principal }) => Promise<readonly SourceView[]>;
}

/** Opens the board. `scopesOf` gives the labels of documents that a principal may see. */
export function sourceBoard({
  database,
  scopesOf,
  door,
}: {
  database: Database;
  scopesOf: (principal: Principal) => readonly string[];
  door: Door;
}): SourceBoard {
  return {
    sources: async ({ principal }) => {
      door(principal);
      const { tenant } = principal;
      return database.inSnapshot(tenant, (tx) => readSources(tx, { tenant, scopes: scopesOf(principal) }));
    },
  };
}

async function readSources(
  tx: Tx,
  { tenant, scopes }: { tenant: string; scopes: readonly string[] },
): Promise<readonly SourceView[]> {
  const ms = (column: string) => sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;
  const { rows } = await sql<SourceView>`
    select name, collections, state, files, documents, passages, faults, promise_ms::float8 as "promiseMs",
      fresh_as_of is null or clock_timestamp() - fresh_as_of > promise_ms * interval '1 millisecond' as "isBehind",
      ${ms("fresh_as_of")} as "freshAsOf", lag_ms::float8 as "lagMs", ${ms("last_started_at")} as "lastStartedAt",
      ${ms("last_complete_at")} as "lastCompleteAt", ${ms("last_change_at")} as "lastChangeAt",
      case when progress_total is not null then json_build_object('done', coalesce(progress_done, 0), 'total', progress_total) end as progress
    from countersign.source where tenant = ${tenant} and scopes && ${[...scopes]}::text[] order by name collate "C"`.execute(tx);
  return rows;
}
