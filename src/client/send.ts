import { CountersignError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { sessionPattern } from "../contract/runtime.ts";
import { problemFrom } from "./problem.ts";

/** Where the service is and who calls. `apiKey` may be left out for `health` alone. */
export interface ClientOptions {
  /** Such as `http://127.0.0.1:4600`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  /**
   * In a browser that has signed in, in place of a key: gives the session's token, as `session()` tells it, which goes with whatever
   * changes something. The cookie goes by itself, to the desk's own origin alone.
   */
  readonly sessionToken?: () => string | null;
  readonly fetch?: typeof fetch;
  /** How long one call may take beside what it asked to wait, in milliseconds; 30 seconds by default. */
  readonly timeoutMs?: number;
}

/** What goes with a request that begins something. */
export interface BeginOptions {
  /** The same key with the same request begins nothing new. */
  readonly idempotencyKey?: string;
  /** The caller's own id of the session of which it is a turn: its turns are remembered for the next ones. */
  readonly session?: string;
  /** The reference time of the request, as an instant of ISO 8601; taken in a trial alone. */
  readonly at?: string;
  /** How long to wait for the verdict, in whole seconds; by default the reply comes once it is decided. */
  readonly waitSeconds?: number;
}

/** One call of the service. */
export interface Call extends BeginOptions {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
}

/** Sends a call and returns the body of the answer, whose type the route decides. */
export type Send = <T>(call: Call) => Promise<T>;

/** Makes the function that sends calls to one address with one key. Throws `configuration_invalid` for what cannot be sent. */
export function createSend(options: ClientOptions): Send {
  const { baseUrl, apiKey, sessionToken = () => null, fetch: fetcher = fetch, timeoutMs = 30_000 } = options;
  const base = baseOf(baseUrl);
  if (apiKey !== undefined && !isHeaderText(apiKey))
    throw invalid("the API key is empty or holds characters that no header can carry");
  return async <T>(call: Call): Promise<T> => {
    const init = {
      ...requestOf(call, { apiKey, token: sessionToken() }),
      signal: AbortSignal.timeout(timeoutMs + (call.waitSeconds ?? 0) * 1000),
    };
    const answer = await reached(base, async () => {
      const response = await fetcher(`${base}${call.path}`, init);
      return { response, text: await response.text() };
    });
    const body = jsonOf(answer.text);
    if (!answer.response.ok) throw problemFrom({ status: answer.response.status, body, base });
    if (typeof body !== "object" || body === null) throw notOurs(base);
    // The service answers with the contract's views; they are not checked field by field a second time.
    return body as T;
  };
}

/** The address as what paths are put behind. Throws `configuration_invalid`. */
export function baseOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) throw invalid("the address is no URL with http or https");
  if (url.username !== "" || url.password !== "") throw invalid("the address holds a credential; pass the API key beside it");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function requestOf(
  { method, body, idempotencyKey, session, at, waitSeconds }: Call,
  { apiKey, token }: { readonly apiKey: string | undefined; readonly token: string | null },
): RequestInit {
  const headers: Record<string, string> = { accept: "application/json" };
  if (apiKey !== undefined) headers["authorization"] = `Bearer ${apiKey}`;
  if (token !== null && method !== "GET") headers["countersign-token"] = token;
  if (idempotencyKey !== undefined) headers["idempotency-key"] = checkedKey(idempotencyKey);
  if (session !== undefined) headers["countersign-session"] = checkedSession(session);
  if (at !== undefined) headers["countersign-reference-time"] = checkedTime(at);
  if (waitSeconds !== undefined) headers["prefer"] = `wait=${checkedWait(waitSeconds)}`;
  // A redirect would take the key to an address that nobody named.
  const request: RequestInit = { method, headers, redirect: "error" };
  if (body === undefined) return request;
  headers["content-type"] = "application/json";
  return { ...request, body: textOf(body) };
}

function checkedKey(key: string): string {
  if (isHeaderText(key) && key.length <= limits.idempotencyKeyLength) return key;
  throw new CountersignError(
    "bad_request",
    `the idempotency key has 1 to ${limits.idempotencyKeyLength} visible ASCII characters`,
  );
}

function checkedSession(session: string): string {
  if (sessionPattern.test(session)) return session;
  throw new CountersignError("bad_request", "a session is 1 to 100 letters, digits, `_`, `.` and `-`");
}

function checkedTime(at: string): string {
  if (/^[0-9TZ:.-]{10,40}$/.test(at) && !Number.isNaN(Date.parse(at))) return at;
  throw new CountersignError("bad_request", "the reference time is an instant such as `2026-03-01T09:00:00Z`");
}

function checkedWait(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= 3_600) return seconds;
  throw new CountersignError("bad_request", "the time to wait is a whole number of seconds, at most an hour");
}

function isHeaderText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

function textOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new CountersignError("unserialisable", "the request cannot be written as JSON; use plain values", { cause });
  }
}

async function reached<T>(base: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const isLate = cause instanceof Error && cause.name === "TimeoutError";
    const message = `\`${base}\` ${isLate ? "did not answer in time" : "cannot be reached"}; see that Countersign runs there`;
    throw new CountersignError("service_unavailable", message, { facts: { address: base }, cause });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notOurs(base: string): CountersignError {
  return new CountersignError(
    "service_unavailable",
    `what answers at \`${base}\` is not Countersign; see that the address is right`,
    {
      facts: { address: base },
    },
  );
}

function invalid(message: string): CountersignError {
  return new CountersignError("configuration_invalid", message);
}
