import type { JsonObject } from "../../contract/json.ts";
import type { ProviderFault } from "../../contract/model.ts";
import { faultOf, faultOfStatus } from "./faults.ts";
import { type Posted, post } from "./post.ts";

/** How one request went, as far as it got; written by the `fetch` below while the SDK reads. */
export interface Trip {
  /** Whether anything was sent. */
  isSent: boolean;
  /** Whether the reply's body broke off. */
  isBroken: boolean;
  /** Bytes of the body so far. */
  bytes: number;
  /** What the trip itself found wrong; it explains whatever the SDK then throws. */
  fault: ProviderFault | null;
}

/** What the SDK may be handed in the place of the runtime's own. */
export type Fetch = typeof fetch;

/** Most of a reply's body that is read, in bytes; four times the longest text that is parsed. */
const maxBodyBytes = 4 * 1024 * 1024;
/** Most of an error's body that is looked at, in bytes. */
const maxErrorBytes = 64 * 1024;

/** A trip that has not begun. */
export function newTrip(): Trip {
  return { isSent: false, isBroken: false, bytes: 0, fault: null };
}

/**
 * The `fetch` that the SDK is handed, for one request. It sends nothing that `refuse` has a sentence about, follows no redirect, unpacks
 * nothing, keeps an error's body from the SDK, and breaks off a body that is too large or no UTF-8. Throws what it cannot go on from;
 * `trip` says why.
 */
export function guardedFetch({
  trip,
  refuse,
  refuseBody,
}: {
  trip: Trip;
  refuse: (body: JsonObject) => string | null;
  /** Looks at the text of a body that came as a whole; a sentence makes it unusable. */
  refuseBody?: (text: string) => string | null;
}): Fetch {
  return async (url, init = {}) => {
    // The SDK sends JSON objects as text, and nothing else.
    const refusal = refuse(JSON.parse(String(init.body)) as JsonObject);
    if (refusal !== null) return stop(trip, faultOf("refused_request", refusal));
    const posted = await send(trip, url, init);
    const { status, headers } = posted;
    if (status < 200 || status > 299) return stop(trip, await faultOfPosted(posted));
    if (isPacked(posted)) return leave(posted, trip, "the provider's reply is packed, which it was not asked to be");
    if (bodiless.includes(status)) return leave(posted, trip, `the provider answered with status ${status}, which has no body`);
    const counted = ReadableStream.from(partsOf(posted.body, trip));
    if (refuseBody === undefined) return new Response(counted, { status, headers });
    const text = await new Response(counted).text();
    const problem = refuseBody(text);
    if (problem !== null) return stop(trip, faultOf("unusable", problem));
    return new Response(text, { status, headers });
  };
}

/** Statuses of success with which a `Response` may have no body. */
const bodiless: readonly number[] = [204, 205];

function isPacked({ headers }: Posted): boolean {
  return !["", "identity"].includes((headers.get("content-encoding") ?? "").trim().toLowerCase());
}

/** Refuses a reply of which nothing was read: its connection ends, for who knows what it still holds. */
function leave({ body }: Posted, trip: Trip, problem: string): never {
  body.destroy();
  return stop(trip, faultOf("unusable", problem));
}

async function send(trip: Trip, url: Parameters<Fetch>[0], init: RequestInit): Promise<Posted> {
  trip.isSent = true;
  const [headers, body] = [new Headers(init.headers), String(init.body)];
  try {
    return await post({ url: url instanceof Request ? url.url : url, headers, body, signal: init.signal ?? null });
  } catch {
    return stop(trip, faultOf("unreachable", "the provider could not be reached"));
  }
}

/** Ends a trip with a fault. Throws an error without a cause: whatever caused it may quote the key. */
function stop(trip: Trip, fault: ProviderFault): never {
  trip.fault = fault;
  throw new Error(fault.problem);
}

async function faultOfPosted(posted: Posted): Promise<ProviderFault> {
  const { status, headers } = posted;
  return faultOfStatus({ status, headers, body: await headOf(posted), now: Date.now() });
}

/** The head of a body; it is read to its end where it is short, so that the connection serves again. */
async function headOf({ body }: Posted): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.byteLength;
      if (bytes > maxErrorBytes) break;
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(parts).toString("utf8", 0, maxErrorBytes);
}

/** The body as it comes, counted, and broken off where it is too large or no text. */
async function* partsOf(body: Posted["body"], trip: Trip): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    // A message over HTTP that nobody gave an encoding is read in buffers.
    for await (const part of body as AsyncIterable<Buffer>) {
      trip.bytes += part.byteLength;
      if (trip.bytes > maxBodyBytes) stop(trip, faultOf("unusable", `the provider's reply is larger than ${maxBodyBytes} bytes`));
      refuseGarbled(() => decoder.decode(part, { stream: true }), trip);
      yield part;
    }
    refuseGarbled(() => decoder.decode(), trip);
  } catch {
    trip.isBroken = true;
    throw new Error("the body broke off");
  }
}

/** A lenient reader would put U+FFFD in the place of what is no UTF-8, and another text would fit. */
function refuseGarbled(decode: () => string, trip: Trip): void {
  try {
    decode();
  } catch {
    stop(trip, faultOf("unusable", "the provider's reply is no UTF-8"));
  }
}
