import { CountersignError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Envelope } from "../../../contract/principal.ts";
import type { HttpQuery, Template } from "../../../contract/record-query.ts";
import { slotValue } from "../slot-value.ts";

/** Where a query goes for this asker and these params, and the headers that it sends. */
export interface Address {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Fills a query's path, search and headers. Throws `definition_invalid` for a value that cannot stand in its place. */
export function addressOf({
  baseUrl,
  query,
  params,
  envelope,
}: {
  baseUrl: URL;
  query: HttpQuery;
  params: JsonObject;
  envelope: Envelope;
}): Address {
  const { scope } = query;
  const fill = (template: Template, write: (value: string) => string): string =>
    template
      .map((part) =>
        typeof part === "string" ? part : write(valueText(query.name, slotValue(part, { scope, params, envelope }))),
      )
      .join("");
  const url = new URL(baseUrl);
  // Written as a whole: a path may not be joined to a base in which a part of it would mean something else.
  url.pathname = baseUrl.pathname.replace(/\/$/, "") + fill(query.path, (value) => pathPart(query.name, value));
  for (const [name, template] of query.search)
    url.searchParams.append(
      name,
      fill(template, (value) => value),
    );
  const headers = query.headers.map(
    ([name, template]) => [name, fill(template, (value) => headerPart(query.name, value))] as const,
  );
  return { url, headers: Object.fromEntries(headers) };
}

/**
 * The text of a value. Nothing, an empty text and an empty list have none: a service would take them for no filter at all. Elements of a list
 * stand between commas, so none may hold one.
 */
function valueText(query: string, value: ReturnType<typeof slotValue>): string {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isOdd = (one: unknown) => one === null || one === "" || typeof one === "object";
  if (elements.length === 0 || elements.some(isOdd)) throw noValue(query);
  if (Array.isArray(value) && elements.some((one) => String(one).includes(","))) throw noValue(query);
  return elements.map(String).join(",");
}

function noValue(query: string): CountersignError {
  const message = `record query \`${query}\` has nothing to put in one of its places, or a list with a comma in it`;
  return new CountersignError("definition_invalid", message, { facts: { query } });
}

/** One part of a path: it holds no `/`, and does not lead out of it. */
function pathPart(query: string, value: string): string {
  if (value !== "" && value !== "." && value !== "..") return encodeURIComponent(value);
  throw new CountersignError("definition_invalid", `a param of record query \`${query}\` is no part of a path`, {
    facts: { query },
  });
}

function headerPart(query: string, value: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value;
  throw new CountersignError("definition_invalid", `a param of record query \`${query}\` is no value of a header`, {
    facts: { query },
  });
}
