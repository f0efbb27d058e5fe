import type { Context } from "hono";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import type { Page, ReadPage, SortKey } from "../contract/page.ts";

const usual = 50;
const most = 200;

/** The query of every list: a page of it. */
export const pageQuery = z.strictObject({
  limit: z.int().min(1).default(usual).describe(`More than ${most} are taken for ${most}`),
  cursor: z.string().optional().describe("The `next` of the page before, asked for with the same question"),
});

/**
 * Reads which page of a list is asked for: 50 items where none is said, at most 200. `key` is the form of the list's sort key.
 * Throws `bad_request` for a cursor that this list did not give.
 */
export function pagingOf<K extends SortKey>(
  context: Context,
  key: z.ZodType<K>,
): { readonly limit: number; readonly after: K | null } {
  const { limit, cursor } = context.req.query();
  return { limit: limitOf(limit), after: cursor === undefined ? null : keyIn(cursor, key) };
}

/** The page as it is told. */
export function pageOf<T, K extends SortKey>({ items, last }: ReadPage<T, K>): Page<T> {
  return { items, next: last === null ? null : Buffer.from(JSON.stringify(last)).toString("base64url") };
}

const idKey = z.tuple([z.uuid()]);

/** As `pagingOf`, for lists in the order of ids that grow with time: `after` is such an id. */
export function pageAt(context: Context): { readonly limit: number; readonly after: string | null } {
  const { limit, after } = pagingOf(context, idKey);
  return { limit, after: after?.[0] ?? null };
}

function limitOf(asked: string | undefined): number {
  return asked !== undefined && /^[1-9][0-9]{0,8}$/.test(asked) ? Math.min(most, Number(asked)) : usual;
}

function keyIn<K extends SortKey>(cursor: string, form: z.ZodType<K>): K {
  const fit = /^[A-Za-z0-9_-]{1,2000}$/.test(cursor) ? form.safeParse(parsed(cursor)) : undefined;
  if (fit?.success === true) return fit.data;
  throw new CountersignError("bad_request", "`cursor` is none of this list: send the `next` of the page before, or leave it out");
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
