import type pg from "pg";
import { CountersignError } from "../../../contract/errors.ts";
import type { AggregateView, SqlQuery } from "../../../contract/record-query.ts";
import { changed, unavailable } from "../faults.ts";

/** A view as the catalogue has it. */
interface ViewFound {
  readonly isMaterialised: boolean;
  /** False before the first refresh of a materialised one. */
  readonly isPopulated: boolean;
}

/** Looks a view up in the catalogue; `null` where there is none of that name. */
async function findView(
  client: Pick<pg.ClientBase, "query">,
  { schema, name }: Pick<AggregateView, "schema" | "name">,
): Promise<ViewFound | null> {
  const { rows } = await client.query<{ kind: string; populated: string }>(
    `select c.relkind::text as kind, c.relispopulated::text as populated
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relname = $2 and c.relkind in ('v', 'm')`,
    [schema, name],
  );
  const [found] = rows;
  return found === undefined ? null : { isMaterialised: found.kind === "m", isPopulated: found.populated === "true" };
}

/**
 * When the view that a query reads was refreshed last, in milliseconds since the epoch; `null` for a plain one, which is as young as its answer.
 * Throws `record_changed` where the view is gone, `definition_invalid` where a materialised one says nothing of its refresh, and
 * `record_unavailable` before its first one.
 */
export async function refreshedAt(
  client: Pick<pg.ClientBase, "query">,
  { name: query, view }: Pick<SqlQuery, "name"> & { readonly view: AggregateView },
): Promise<number | null> {
  const found = await findView(client, view);
  const named = `${view.schema}.${view.name}`;
  if (found === null) throw changed(query, { column: named, how: "is no view of the catalogue" });
  if (!found.isMaterialised) return null;
  if (view.refreshedAt === null) {
    const message = `record query \`${query}\` reads the materialised view \`${named}\`; say with \`refresh\` how its age is known`;
    throw new CountersignError("definition_invalid", message, { facts: { query } });
  }
  if (!found.isPopulated) throw unavailable(query, "rows");
  // The age of the whole view, since an answer without rows has one too. Names were checked when the query was defined.
  const { rows } = await client.query<{ at: string | null }>(
    `select (extract(epoch from min("${view.refreshedAt}")) * 1000)::bigint::text as at from "${view.schema}"."${view.name}"`,
  );
  const at = rows[0]?.at ?? null;
  return at === null ? Number.NaN : Number(at);
}
