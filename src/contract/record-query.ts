import type { RecordQuery } from "./connector.ts";
import type { JsonObject } from "./json.ts";
import type { Envelope } from "./principal.ts";
import type { Schema } from "./schema.ts";

/** What every query of a connector of the library declares. */
export interface TypedQuery extends Omit<RecordQuery<never>, "run"> {
  readonly params: Schema<JsonObject>;
  readonly row: Schema<JsonObject>;
  /** The fields of the row schema with the JSON types that each may have; a field that may be missing is optional. */
  readonly columns: Columns;
  /** Most rows of an answer; more is an error, never a cut. */
  readonly limit: number;
  readonly timeoutMs: number;
  /** Values that the envelope gives beside the tenant and the principal, by name, such as whether an IT lead asks. */
  readonly scope: { readonly [name: string]: (envelope: Envelope) => ScopeValue };
}

export type ScopeValue = string | number | boolean | null | readonly string[];

/** The JSON types of a field of a row; `null` where the schema says nothing of it. */
export interface Column {
  readonly types: ReadonlySet<ColumnType> | null;
  readonly isOptional: boolean;
}
export type ColumnType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";
export type Columns = ReadonlyMap<string, Column>;

/** Where the value of a placeholder comes from: the envelope, or the query's params. */
export type Slot =
  | { readonly kind: "tenant" | "principal" | "roles" | "scopes" }
  | { readonly kind: "scope" | "param"; readonly name: string };

/** A read query over PostgreSQL: text that never changes, and what is bound to its places. Made by `defineSqlQuery` and `defineAggregateView`. */
export interface SqlQuery extends TypedQuery {
  readonly kind: "sql";
  /** With `$1`, `$2` and so on. */
  readonly text: string;
  readonly slots: readonly Slot[];
  readonly view: AggregateView | null;
}

/** A view of totals that the catalogue of the database must have. */
export interface AggregateView {
  readonly schema: string;
  readonly name: string;
  /** For a materialised one the column with the time of its last refresh; else `null`. */
  readonly refreshedAt: string | null;
  /** How often a materialised one is refreshed, in milliseconds; `null` for a plain one. */
  readonly refreshEveryMs: number | null;
}

/** A part of a path or a value of a search parameter or header: fixed text and placeholders in turn. */
export type Template = readonly (string | Slot)[];

/** A read over HTTP that answers in JSON. Made by `defineHttpQuery`. */
export interface HttpQuery extends TypedQuery {
  readonly kind: "http";
  readonly path: Template;
  readonly search: readonly (readonly [name: string, value: Template])[];
  readonly headers: readonly (readonly [name: string, value: Template])[];
  /** Pointer to the list of rows in the answer, or to the one row. */
  readonly rows: string;
  /** A `404` is an answer without rows. */
  readonly isNoneAt404: boolean;
  readonly maxBytes: number;
}
