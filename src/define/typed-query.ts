import type { RecordQuery } from "../contract/connector.ts";
import type { JsonObject } from "../contract/json.ts";
import type { TypedQuery } from "../contract/record-query.ts";
import type { Schema } from "../contract/schema.ts";
import { checkRecordQuery } from "./check-record-query.ts";
import { columnsOf } from "./columns.ts";

/** What a query of a connector of the library is defined from. */
export interface QueryDefinition<P, R> extends Omit<RecordQuery<never>, "run" | "key" | "readAt"> {
  /** The params; what does not fit is never sent. */
  readonly params: Schema<P>;
  /** The rows, field by field. An answer that has other columns is `record_changed`. */
  readonly row: Schema<R>;
  /** The field that names a row within the query, or a text made of several; without personal data. */
  readonly key: string | ((row: R) => string);
  /**
   * For a copy or a cache: the field with the time at which a row left its system of record, in milliseconds or as ISO text with its zone, such as
   * `2026-05-16T09:30:00Z`. A text without a zone is no time that is known, and so too old for everything.
   */
  readonly readAt?: string;
  readonly scope?: TypedQuery["scope"];
  /** Why rows of all tenants may be read, for a query that does not name `:tenant`, such as one over a price list. */
  readonly unscoped?: string;
  /** Most rows of an answer, 100 unless told; more is an error, never a cut. */
  readonly limit?: number;
  /** How long the system of record may take, in milliseconds; 5,000 unless told. */
  readonly timeoutMs?: number;
}

/** The part of a query that is the same for every system of record, checked. Throws `definition_invalid`. */
export function typedQuery<P, R>(definition: QueryDefinition<P, R>): TypedQuery {
  const { unscoped: _unscoped, readAt, key, scope = {}, limit = 100, timeoutMs = 5_000, ...rest } = definition;
  const named = `query \`${definition.name}\``;
  const query = {
    ...rest,
    ...{ title: definition.title ?? definition.name, scope, limit, timeoutMs },
    columns: columnsOf(definition.row, `\`row\` of ${named}`),
    // A row that fits its schema is of its type.
    key: typeof key === "string" ? (row: JsonObject) => String(row[key]) : (key as unknown as (row: JsonObject) => string),
    ...(readAt === undefined ? {} : { readAt: (row: JsonObject) => timeOf(row[readAt]) }),
  };
  checkRecordQuery(query, typeof key === "string" ? key : null);
  // The types of params and rows end here on purpose: both are parsed by these schemas before anything sees them.
  return query as unknown as TypedQuery;
}

/** The names of the params. Throws `definition_invalid` for a schema that does not say them. */
export function paramNames({ name, params }: { name: string; params: Schema }): readonly string[] {
  return [...columnsOf(params, `\`params\` of query \`${name}\``).keys()];
}

/** An unknown time is no number, and so too old for everything. */
function timeOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && zoned.test(value) ? Date.parse(value.replace(" ", "T")) : Number.NaN;
}

const zoned = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
