import { CountersignError } from "../contract/errors.ts";
import type { HttpQuery, Slot, Template } from "../contract/record-query.ts";
import { checkSlots, type PlaceholderNames, slotOf } from "./placeholders.ts";
import { paramNames, type QueryDefinition, typedQuery } from "./typed-query.ts";

/** Where a read over HTTP goes, and where the rows are in what it answers. */
export interface HttpDefinition<P, R> extends QueryDefinition<P, R> {
  /** Behind the connector's base address, such as `/orders/:order/lines`. */
  readonly path: string;
  /** Search parameters, such as `{ state: "open", customer: ":principal" }`. */
  readonly search?: { readonly [name: string]: string };
  /** Headers beside the credential's, such as `{ "x-tenant": ":tenant" }`. */
  readonly headers?: { readonly [name: string]: string };
  /** Pointer to the list of rows in the answer, or to the one row; the whole answer where it is left out. */
  readonly rows?: string;
  /** Take a `404` for an answer without rows. */
  readonly isNoneAt404?: boolean;
  /** Longest answer in bytes, 1 MiB unless told. */
  readonly maxBytes?: number;
}

/**
 * Defines a read over HTTP that answers in JSON. Placeholders are those of `defineSqlQuery`; each becomes one part of a path, one value of a
 * search parameter or a header, and never more. Throws `definition_invalid`.
 * @example
 * defineHttpQuery({
 *   name: "parcels.ofOrder", path: "/v1/:tenant/orders/:order/parcels", rows: "/items", key: "id",
 *   labels: { id: "system", state: "system" }, params: z.strictObject({ order: z.string() }),
 *   row: z.object({ id: z.string(), state: z.string() }), isNoneAt404: true,
 * });
 */
export function defineHttpQuery<P, R>(given: HttpDefinition<P, R>): HttpQuery {
  const { path, search = {}, headers = {}, rows = "", isNoneAt404 = false, maxBytes = 1_048_576, ...definition } = given;
  const named = `query \`${definition.name}\``;
  const names = { query: definition.name, params: paramNames(definition), scope: definition.scope ?? {} };
  if (!/^(?:\/[A-Za-z0-9_.~:-]+)+$/.test(path))
    throw invalid(`${named} needs a path such as \`/v1/orders/:order\`, without a search`);
  if (path.split("/").some((part) => part === "." || part === "..")) throw invalid(`${named} leads out of its path`);
  if (rows !== "" && !rows.startsWith("/")) throw invalid(`${named} needs \`rows\` as a pointer such as \`/items\``);
  if (!Number.isInteger(maxBytes) || maxBytes < 1 || maxBytes > mostBytes)
    throw invalid(`${named} takes at most ${mostBytes} bytes`);
  const odd = Object.keys(headers).find((name) => !/^x-[a-z0-9-]{1,60}$/.test(name));
  if (odd !== undefined)
    throw invalid(`${named} sets the header \`${odd}\`; only those that begin with \`x-\` are a query's own`);
  const templates = {
    path: templateOf(path, names),
    search: Object.entries(search).map(([name, text]) => [name, templateOf(text, names)] as const),
    headers: Object.entries(headers).map(([name, text]) => [name, templateOf(text, names)] as const),
  };
  const all = [templates.path, ...[...templates.search, ...templates.headers].map(([, template]) => template)].flat();
  checkSlots(
    all.filter((part): part is Slot => typeof part !== "string"),
    { ...names, unscoped: definition.unscoped },
  );
  return Object.freeze({ ...typedQuery(definition), kind: "http", ...templates, rows, isNoneAt404, maxBytes });
}

/** An answer longer than this is no list of rows for a decision. */
const mostBytes = 16 * 1_048_576;

function templateOf(text: string, names: PlaceholderNames): Template {
  return text.split(/(:[a-z][a-z0-9_]*)/).flatMap((part): Template => {
    if (part === "") return [];
    return part.startsWith(":") && part.length > 1 ? [slotOf(part.slice(1), names)] : [part];
  });
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
