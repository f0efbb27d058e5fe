import type { Answer } from "../../../contract/connector.ts";
import { isCountersignError } from "../../../contract/errors.ts";
import { atPointer, type Json, type JsonObject } from "../../../contract/json.ts";
import type { Clock } from "../../../contract/ports.ts";
import type { Envelope } from "../../../contract/principal.ts";
import type { HttpQuery } from "../../../contract/record-query.ts";
import { changed, unavailable } from "../faults.ts";
import { fitParams, fitRows } from "../fit-rows.ts";
import { addressOf } from "./address.ts";
import { readAtOf } from "./age.ts";
import { readBody } from "./read-body.ts";

/** A service, and the way to it. */
export interface HttpPlace {
  readonly baseUrl: URL;
  readonly credential: { readonly header: string; readonly value: string; readonly secret: string } | null;
  readonly clock: Pick<Clock, "now">;
}

/** Redirects within one service, such as to a path in lower case. */
const mostRedirects = 3;

/**
 * Asks a service for rows: `GET`, no word of the asker's anywhere but in its place, no other address than the service's. Throws
 * `record_unavailable`, `record_changed`, and `definition_invalid` for params that do not fit.
 */
export async function runHttp({
  place,
  query,
  params,
  envelope,
  ending,
}: {
  place: HttpPlace;
  query: HttpQuery;
  params: JsonObject;
  envelope: Envelope;
  ending: AbortSignal;
}): Promise<Answer> {
  const fitted = await fitParams(query, params);
  const { url, headers } = addressOf({ baseUrl: place.baseUrl, query, params: fitted, envelope });
  const late = AbortSignal.timeout(query.timeoutMs);
  const signal = AbortSignal.any([late, ending]);
  const startedAt = place.clock.now();
  try {
    const response = await get({ place, query, url, headers, signal });
    const readAt = readAtOf(response.headers, startedAt);
    if (response.status === 404 && query.isNoneAt404) {
      await response.body?.cancel();
      return { rows: [], readAt };
    }
    const body = await readBody({ query, response, secret: place.credential?.secret ?? null });
    return { rows: await fitRows(query, rowsIn(query, body)), readAt };
  } catch (thrown) {
    if (isCountersignError(thrown)) throw thrown;
    throw unavailable(query.name, late.aborted ? "time" : "connection", thrown);
  }
}

async function get({
  place,
  query,
  url,
  headers,
  signal,
}: {
  place: HttpPlace;
  query: HttpQuery;
  url: URL;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
}): Promise<Response> {
  const { credential } = place;
  const sent = {
    accept: "application/json",
    ...headers,
    ...(credential === null ? {} : { [credential.header]: credential.value }),
  };
  let at = url;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await fetch(at, { method: "GET", headers: sent, redirect: "manual", signal });
    if (![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    const next = URL.parse(response.headers.get("location") ?? "", at.href);
    // The credential goes to the service alone, and so does what is asked.
    if (next === null || next.origin !== place.baseUrl.origin) break;
    at = next;
  }
  throw unavailable(query.name, "redirect");
}

function rowsIn({ name, rows: pointer, limit }: HttpQuery, body: Json): readonly Json[] {
  const found = atPointer(body, pointer);
  if (found === undefined) throw changed(name, { column: pointer, how: "is missing" });
  if (found === null || typeof found !== "object") throw unavailable(name, "answer");
  const rows: readonly Json[] = Array.isArray(found) ? found : [found];
  if (rows.length > limit) throw unavailable(name, "rows");
  return rows;
}
