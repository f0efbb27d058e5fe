import pg from "pg";
import { CountersignError } from "../contract/errors.ts";
import type { Clock, Vault } from "../contract/ports.ts";
import type { AggregateView, SqlQuery } from "../contract/record-query.ts";

/** Materialised views of one database that the acting half keeps fresh, and the credential for it. Made by `refreshViews`. */
export interface ViewRefresh {
  readonly name: string;
  /** The vault name of a connection string whose role may refresh these views (`maintain`) and needs no other right. */
  readonly secret: string;
  readonly views: readonly (AggregateView & { readonly refreshedAt: string; readonly refreshEveryMs: number })[];
}

/**
 * Has the materialised views among these queries refreshed by the acting half, each as often as its query declares. Throws
 * `definition_invalid` where none of them is one.
 */
export function refreshViews({
  name,
  secret,
  queries,
}: {
  name: string;
  secret: string;
  queries: readonly SqlQuery[];
}): ViewRefresh {
  const views = queries.flatMap(({ view }) =>
    view === null || view.refreshedAt === null || view.refreshEveryMs === null
      ? []
      : [{ ...view, refreshedAt: view.refreshedAt, refreshEveryMs: view.refreshEveryMs }],
  );
  if (views.length > 0) return Object.freeze({ name, secret, views });
  throw new CountersignError(
    "definition_invalid",
    `\`${name}\` refreshes nothing; none of its queries is over a materialised view`,
  );
}

/** Keeps views fresh. Holds connections; close it. */
export interface Refresher {
  /** Refreshes what is due and gives how many that were. One that fails is told and tried again when it is due next. */
  readonly round: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** How long one refresh may take, in milliseconds. */
const refreshMs = 10 * 60_000;

/** Opens the refreshing of views; any number of workers may do it at once, and one of them refreshes each view. */
export function createRefresher({
  refreshes,
  vault,
  clock,
  onError,
}: {
  refreshes: readonly ViewRefresh[];
  vault: Vault;
  clock: Pick<Clock, "monotonic">;
  onError: (thrown: unknown) => void;
}): Refresher {
  const dueAt = new Map<ViewRefresh["views"][number], number>();
  const pools = new Map<ViewRefresh, pg.Pool>();
  const poolOf = (refresh: ViewRefresh): pg.Pool => {
    const known = pools.get(refresh) ?? openPool(vault.secret(refresh.secret), refresh.name);
    pools.set(refresh, known);
    return known;
  };
  return {
    async round() {
      let refreshed = 0;
      for (const refresh of refreshes) {
        for (const view of refresh.views) {
          if (clock.monotonic() < (dueAt.get(view) ?? Number.NEGATIVE_INFINITY)) continue;
          dueAt.set(view, clock.monotonic() + view.refreshEveryMs);
          const isDone = await refreshOne(poolOf(refresh), view).catch((thrown: unknown) => void onError(thrown));
          refreshed += isDone === true ? 1 : 0;
        }
      }
      return refreshed;
    },
    async close() {
      await Promise.allSettled([...pools.values()].map((pool) => pool.end()));
    },
  };
}

function openPool(url: string, name: string): pg.Pool {
  const pool = new pg.Pool({
    ...{ connectionString: url, max: 1, connectionTimeoutMillis: 5_000, statement_timeout: refreshMs },
    application_name: `countersign refresh ${name}`.slice(0, 63),
  });
  // The server may end an idle connection at any time; the next round opens another.
  pool.on("error", () => {});
  return pool;
}

/** False where another worker is at it, or where it is young enough by the database's own clock. Names were checked when they were defined. */
async function refreshOne(
  pool: pg.Pool,
  { schema, name, refreshedAt, refreshEveryMs }: ViewRefresh["views"][number],
): Promise<boolean> {
  const client = await pool.connect();
  const view = `"${schema}"."${name}"`;
  let isSound = false;
  try {
    const lock = await client.query<{ taken: boolean }>("select pg_try_advisory_lock(hashtextextended($1, 0)) as taken", [
      `refresh ${view}`,
    ]);
    if (lock.rows[0]?.taken !== true) return false;
    const { isPopulated, isConcurrent } = await formOf(client, { schema, name });
    const isYoung = isPopulated && (await ageMs(client, view, refreshedAt)) < refreshEveryMs / 2;
    if (!isYoung) await client.query(`refresh materialized view ${isConcurrent && isPopulated ? "concurrently " : ""}${view}`);
    await client.query("select pg_advisory_unlock_all()");
    isSound = true;
    return !isYoung;
  } finally {
    // The lock goes with the connection.
    client.release(!isSound);
  }
}

/** Readers need not wait where an index tells rows apart. */
async function formOf(
  client: pg.PoolClient,
  of: { schema: string; name: string },
): Promise<{ isPopulated: boolean; isConcurrent: boolean }> {
  const { rows } = await client.query<{ populated: boolean; concurrent: boolean }>(
    `select c.relispopulated as populated, exists (select from pg_catalog.pg_index i
      where i.indrelid = c.oid and i.indisunique and i.indpred is null and i.indexprs is null) as concurrent
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relname = $2 and c.relkind = 'm'`,
    [of.schema, of.name],
  );
  const [found] = rows;
  if (found !== undefined) return { isPopulated: found.populated, isConcurrent: found.concurrent };
  throw new CountersignError("record_changed", `there is no materialised view \`${of.schema}.${of.name}\` to refresh`, {
    facts: of,
  });
}

/** Infinite for a view without a row, whose age nobody knows. */
async function ageMs(client: pg.PoolClient, view: string, column: string): Promise<number> {
  const { rows } = await client.query<{ age: string | null }>(
    `select (extract(epoch from clock_timestamp() - min("${column}")) * 1000)::bigint::text as age from ${view}`,
  );
  return Number(rows[0]?.age ?? Number.POSITIVE_INFINITY);
}
