import type { JsonObject } from "../../contract/json.ts";
import type { ProviderFault } from "../../contract/model.ts";
import { faultOf, faultOfStatus } from "./faults.ts";

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

/** Most of a reply's body that is read, in bytes after decoding; four times the longest text that is parsed. */
const maxBodyBytes = 4 * 1024 * 1024;
/** Most of an error's body that is looked at, in bytes. */
const maxErrorBytes = 64 * 1024;

/** A trip that has not begun. */
export function newTrip(): Trip {
  return { isSent: false, isBroken: false, bytes: 0, fault: null };
}

/**
 * The `fetch` that the SDK is handed, for one request. It sends nothing that `refuse` has a sentence about, follows no redirect, keeps an
 * error's body from the SDK, and breaks off a body that is too large. Throws what it cannot go on from; `trip` says why.
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
    const response = await send(trip, url, init);
    if (!response.ok) return stop(trip, await faultOfResponse(response));
    if (refuseBody === undefined) return new Response(counted(response, trip), response);
    const text = await new Response(counted(response, trip)).text();
    const problem = refuseBody(text);
    if (problem !== null) return stop(trip, faultOf("unusable", problem));
    return new Response(text, response);
  };
}

async function send(trip: Trip, url: Parameters<Fetch>[0], init: RequestInit): Promise<Response> {
  trip.isSent = true;
  try {
    return await fetch(url, { ...init, redirect: "manual" });
  } catch {
    return stop(trip, faultOf("unreachable", "the provider could not be reached"));
  }
}

/** Ends a trip with a fault. Throws an error without a cause: whatever caused it may quote the key. */
function stop(trip: Trip, fault: ProviderFault): never {
  trip.fault = fault;
  throw new Error(fault.problem);
}

async function faultOfResponse(response: Response): Promise<ProviderFault> {
  const { status, headers } = response;
  return faultOfStatus({ status, headers, body: await headOf(response), now: Date.now() });
}

/** The head of a body; it is read to its end where it is short, so that the connection serves again. */
async function headOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of body ?? []) {
      parts.push(part);
      bytes += part.byteLength;
      if (bytes > maxErrorBytes) break;
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(parts).toString("utf8", 0, maxErrorBytes);
}

/** The body as it comes, counted, and broken off where it is too large. */
function counted({ body }: Response, trip: Trip): ReadableStream<Uint8Array> | null {
  return body === null ? null : ReadableStream.from(partsOf(body, trip));
}

async function* partsOf(body: ReadableStream<Uint8Array>, trip: Trip): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of body) {
      trip.bytes += part.byteLength;
      if (trip.bytes > maxBodyBytes) stop(trip, faultOf("unusable", `the provider's reply is larger than ${maxBodyBytes} bytes`));
      yield part;
    }
  } catch {
    trip.isBroken = true;
    throw new Error("the body broke off");
  }
}
