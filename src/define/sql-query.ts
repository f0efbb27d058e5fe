import { CountersignError } from "../contract/errors.ts";
import type { AggregateView, SqlQuery } from "../contract/record-query.ts";
import { checkSlots } from "./placeholders.ts";
import { readSql } from "./sql-text.ts";
import { paramNames, type QueryDefinition, typedQuery } from "./typed-query.ts";

/**
 * Defines a read query over PostgreSQL. `:tenant`, `:principal`, `:roles` and `:scopes` come from whoever asks, the names of `scope` are
 * computed from them, all others are params; everything is bound, nothing becomes a part of the text. Throws `definition_invalid`.
 * @example
 * defineSqlQuery({
 *   name: "devices.ofPerson", title: "Device register", key: "id", labels: { id: "system", model: "system" },
 *   params: z.strictObject({ person: z.string() }), row: z.strictObject({ id: z.string(), model: z.string() }),
 *   scope: { sees_all: ({ principal }) => principal.roles.includes("it-lead") },
 *   sql: `select id, model from device
 *     where tenant = :tenant and (holder = :principal or :sees_all) and holder = :person order by id`,
 * });
 */
export function defineSqlQuery<P, R>({ sql, ...definition }: QueryDefinition<P, R> & { readonly sql: string }): SqlQuery {
  const { name, scope = {}, unscoped } = definition;
  const names = { query: name, params: paramNames(definition), scope };
  const { text, slots } = readSql(sql, names);
  checkSlots(slots, { ...names, unscoped });
  return Object.freeze({ ...typedQuery(definition), kind: "sql", text, slots, view: null });
}

/** A view of totals: where it is, by which of its columns it is looked up, and how it is kept fresh where it is materialised. */
export interface ViewDefinition<P, R> extends Omit<QueryDefinition<P, R>, "readAt" | "aggregate"> {
  /** Its name with its schema, such as `shop.orders_by_month`. */
  readonly view: string;
  /** The column that holds the tenant. */
  readonly tenantColumn?: string;
  /** The columns by which its rows are put in order. */
  readonly orderBy?: readonly string[];
  /** For a materialised view: the column with the time of its last refresh, and how often it is refreshed, in milliseconds. */
  readonly refresh?: { readonly at: string; readonly everyMs: number };
}

/**
 * Defines an aggregate view, plain or materialised, as a record query: its params are columns that must equal them. That it is there, what
 * kind it is and what columns it has is read from the catalogue of the database. Throws `definition_invalid`.
 * @example
 * defineAggregateView({
 *   name: "orders.byMonth", view: "shop.orders_by_month", tenantColumn: "tenant", key: "month", labels: { month: "system", orders: "system" },
 *   params: z.strictObject({ month: z.string() }), row: z.strictObject({ month: z.string(), orders: z.int() }),
 *   groupSize: { field: "orders", minimumGroup: 5, subject: "order" },
 * });
 */
export function defineAggregateView<P, R>(given: ViewDefinition<P, R>): SqlQuery {
  const { view: place, tenantColumn, orderBy = [], refresh, ...definition } = given;
  const named = `query \`${definition.name}\``;
  const view = viewOf({ named, place, refresh });
  const typed = typedQuery(refresh === undefined ? definition : { ...definition, readAt: refresh.at });
  if (refresh !== undefined && !typed.columns.has(refresh.at))
    throw invalid(`${named} needs \`${refresh.at}\` among the fields of its rows`);
  const params = paramNames(definition);
  for (const column of [...params, ...orderBy, ...(tenantColumn === undefined ? [] : [tenantColumn])]) quote(named, column);
  const conditions = [
    ...(tenantColumn === undefined ? [] : [`${quote(named, tenantColumn)} = :tenant`]),
    ...params.map((param) => `${quote(named, param)} = :${param}`),
  ];
  const columns = [...typed.columns.keys()].map((column) => quote(named, column)).join(", ");
  const where = conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
  const order = orderBy.length === 0 ? "" : ` order by ${orderBy.map((column) => quote(named, column)).join(", ")}`;
  const names = { query: definition.name, params, scope: {} };
  const { text, slots } = readSql(`select ${columns} from "${view.schema}"."${view.name}"${where}${order}`, names);
  checkSlots(slots, { ...names, unscoped: definition.unscoped });
  return Object.freeze({ ...typed, kind: "sql", text, slots, view });
}

function viewOf({
  named,
  place,
  refresh,
}: {
  named: string;
  place: string;
  refresh: ViewDefinition<unknown, unknown>["refresh"];
}): AggregateView {
  const [, schema, name] = /^([a-z_][a-z0-9_]{0,62})\.([a-z_][a-z0-9_]{0,62})$/.exec(place) ?? [];
  if (schema === undefined || name === undefined)
    throw invalid(`${named} needs its \`view\` with its schema, such as \`shop.totals\``);
  if (refresh !== undefined && (!Number.isInteger(refresh.everyMs) || refresh.everyMs < 1_000))
    throw invalid(`${named} is refreshed every 1000 milliseconds at the most often`);
  return { schema, name, refreshedAt: refresh?.at ?? null, refreshEveryMs: refresh?.everyMs ?? null };
}

function quote(named: string, column: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(column))
    throw invalid(`${named} has \`${column}\`, which is no name of a column in lower case`);
  return `"${column}"`;
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
