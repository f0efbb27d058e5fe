import type { PassageSearch } from "../../../../src/contract/look-up.ts";
import type { Search } from "../../shell/search.ts";
import { instantOf } from "../../words/instants.ts";

/** A search as it is typed; it stands in the address, so that it can be sent on. */
export interface TypedSearch {
  readonly query: string;
  readonly collection: string;
  /** Such as `team = it, language = en`. */
  readonly metadata: string;
  /** A day and time in UTC; now where it is empty. */
  readonly at: string;
  readonly limit: string;
}

const usualLimit = "6";

/** Reads what was typed from the address. */
export function typedOf(search: Search): TypedSearch {
  return {
    query: search["q"] ?? "",
    collection: search["in"] ?? "",
    metadata: search["with"] ?? "",
    at: search["at"] ?? "",
    limit: search["limit"] ?? usualLimit,
  };
}

/** The same as the address holds it; what was opened of an earlier search is left. */
export function addressOf({ query, collection, metadata, at, limit }: TypedSearch): Search {
  return {
    ...{ q: query, in: collection || undefined, with: metadata.trim() || undefined, at: at || undefined },
    ...{ limit: limit === usualLimit ? undefined : limit, open: undefined },
  };
}

type Read = { readonly asked: PassageSearch; readonly why: null } | { readonly asked: null; readonly why: string };

/** What was typed as a search, or what is still wrong with it in words. */
export function searchOf({ query, collection, metadata, at, limit }: TypedSearch, now: number): Read {
  if (query.trim() === "") return wrong("Say what is to be found.");
  const pairs = metadataOf(metadata);
  if (pairs === null) return wrong("Filters are names, each once, with values and commas between them, such as team = it.");
  const instant = at === "" ? undefined : instantOf(at);
  if (instant === null) return wrong("The reference time is no day and time.");
  if (instant !== undefined && instant > now)
    return wrong("The reference time is still to come; what is found then, nobody knows.");
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > 100) return wrong("At most 1 to 100 passages.");
  const filters = {
    ...(collection === "" ? {} : { collection }),
    ...(Object.keys(pairs).length === 0 ? {} : { metadata: pairs }),
    ...(instant === undefined ? {} : { at: instant }),
  };
  return { asked: { query, ...filters, limit: most }, why: null };
}

function metadataOf(text: string): { readonly [key: string]: string } | null {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const pairs = parts.map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, Math.max(0, at)).trim(), part.slice(at + 1).trim()] as const;
  });
  const names = new Set(pairs.map(([name]) => name));
  if (names.size < pairs.length || pairs.some(([name, value]) => name === "" || value === "")) return null;
  return Object.fromEntries(pairs);
}

function wrong(why: string): Read {
  return { asked: null, why };
}
