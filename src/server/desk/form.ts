import type { Context } from "hono";
import { CountersignError } from "../../contract/errors.ts";
import type { Schema } from "../../contract/schema.ts";
import { fitBody, readText } from "../body.ts";

/** Reads a posted form of a known form, from our own pages alone. Throws `forbidden` for one from elsewhere, `too_large`, `bad_text`, `bad_request`. */
export async function readForm<T>(context: Context, schema: Schema<T>): Promise<T> {
  refuseElsewhere(context);
  const type = context.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new CountersignError("bad_request", "the body is not a form; use the page");
  // A browser ends lines with CR LF in a form; what is kept has LF.
  const fields = [...new URLSearchParams(await readText(context))].map(([name, value]) => [name, value.replaceAll("\r\n", "\n")]);
  return fitBody(schema, Object.fromEntries(fields));
}

/**
 * A browser says where a form comes from: in `Sec-Fetch-Site` (https and local addresses), in `Origin` (all posts). Both must be ours;
 * where neither came, no browser of today sent it.
 */
function refuseElsewhere(context: Context): void {
  const site = context.req.header("sec-fetch-site");
  const origin = context.req.header("origin");
  const isFromHere = origin === undefined ? site === "same-origin" : isOwnOrigin(origin, context.req.header("host"));
  if (isFromHere && (site === undefined || site === "same-origin")) return;
  throw new CountersignError("forbidden", "the form did not come from this desk's own page; open the page and try again");
}

function isOwnOrigin(origin: string, host: string | undefined): boolean {
  const url = URL.parse(origin);
  return url !== null && host !== undefined && url.host === host.toLowerCase();
}
