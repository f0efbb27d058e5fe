import pg from "pg";
import type { Answer } from "../../../contract/connector.ts";
import { type CountersignError, isCountersignError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Envelope } from "../../../contract/principal.ts";
import type { SqlQuery } from "../../../contract/record-query.ts";
import { changed, unavailable } from "../faults.ts";
import { fitParams, fitRows } from "../fit-rows.ts";
import { slotValue } from "../slot-value.ts";
import { refreshedAt } from "./catalogue.ts";
import { type ColumnShown, readColumns } from "./read-columns.ts";

/** How much longer than the server the client waits, in milliseconds, before it takes the connection for dead. */
export const graceMs = 500;

/**
 * Runs a query in a read-only transaction, its params bound, its time limited by the server, its columns held against its schema. Throws
 * `record_unavailable`, `record_changed`, and `definition_invalid` for params that do not fit.
 */
export async function runSql({
  pool,
  query,
  params,
  envelope,
}: {
  pool: pg.Pool;
  query: SqlQuery;
  params: JsonObject;
  envelope: Envelope;
}): Promise<Answer> {
  const { scope } = query;
  const fitted = await fitParams(query, params);
  const values = query.slots.map((slot) => slotValue(slot, { scope, params: fitted, envelope }));
  const client = await pool.connect().catch((cause: unknown) => {
    throw unavailable(query.name, "connection", cause);
  });
  let isSound = true;
  try {
    // On a connection that died unheard nothing comes back; its time ends here, not at the server.
    await client.query(within(query, { text: opening(query) }));
    const answer = await readRows(client, query, values);
    return { rows: await fitRows(query, answer.rows), readAt: answer.readAt };
  } catch (thrown) {
    // What the server said itself leaves the connection as it was; on any other, nothing more is sent.
    isSound = thrown instanceof pg.DatabaseError || isCountersignError(thrown);
    throw withTrouble(query.name, thrown);
  } finally {
    client.release(isSound ? await hasEnded(client) : true);
  }
}

/** The driver's own limit, which its types leave out. */
function within({ timeoutMs }: Pick<SqlQuery, "timeoutMs">, asked: pg.QueryConfig): pg.QueryConfig {
  return { ...asked, query_timeout: timeoutMs + graceMs } as pg.QueryConfig;
}

/** One journey; times are told in UTC and in the form that columns are read in. */
function opening({ timeoutMs }: SqlQuery): string {
  return `begin transaction isolation level repeatable read, read only; set local statement_timeout = ${timeoutMs}; set local time zone 'UTC'; set local datestyle = 'ISO'`;
}

/** Ends the transaction, in which nothing was written; gives what the pool is to be told of a connection that is no good any more. */
async function hasEnded(client: pg.PoolClient): Promise<true | undefined> {
  return client.query("rollback").then(
    () => undefined,
    () => true,
  );
}

async function readRows(
  client: pg.PoolClient,
  query: SqlQuery,
  values: readonly unknown[],
): Promise<{ readonly rows: readonly JsonObject[]; readonly readAt: number | undefined }> {
  const { view, name } = query;
  const at = view === null ? null : await refreshedAt(client, { name, view });
  const answer = await client.query({
    // One row more than the limit is enough to know that there are too many.
    text: `select * from (${query.text}\n) as countersign_rows limit ${query.limit + 1}`,
    values: [...values],
    rowMode: "array",
    queryMode: "extended",
    query_timeout: query.timeoutMs + graceMs,
  } as pg.QueryArrayConfig);
  const fields: readonly ColumnShown[] = answer.fields;
  if (answer.rows.length > query.limit) throw unavailable(name, "rows");
  // Every value is a text or nothing: the pool's types say so.
  const rows = answer.rows as readonly (readonly (string | null)[])[];
  return { rows: readColumns(query, { fields, rows }), readAt: at ?? undefined };
}

/** SQLSTATE of a statement that its time limit ended, and of names that are not there any more. Source: PostgreSQL 18, appendix A. */
const cancelled = "57014";
const gone: ReadonlySet<string> = new Set(["42703", "42P01", "3F000"]);

function withTrouble(query: string, thrown: unknown): unknown {
  if (isCountersignError(thrown)) return thrown;
  if (!(thrown instanceof pg.DatabaseError)) {
    const isLate = thrown instanceof Error && thrown.message === "Query read timeout";
    return unavailable(query, isLate ? "time" : "connection", thrown);
  }
  if (thrown.code === cancelled) return unavailable(query, "time", thrown);
  return gone.has(thrown.code ?? "") ? missing(query, thrown) : unavailable(query, "answer", thrown);
}

/** A column, table or schema that the text of the query names and the database has no more. Its name is in the message, in quotation marks. */
function missing(query: string, { message }: pg.DatabaseError): CountersignError {
  const [, column] = /"([^"]{1,100})"|column ([A-Za-z0-9_.]{1,100})/.exec(message)?.filter((one) => one !== undefined) ?? [];
  return changed(query, { column: column ?? "(unknown)", how: "is missing" });
}
