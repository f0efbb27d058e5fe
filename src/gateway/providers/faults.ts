import type { ProviderFault, Usage } from "../../contract/model.ts";

/** What kind of fault, in our words, with what was known when it came. */
export function faultOf(
  fault: ProviderFault["fault"],
  problem: string,
  known: { retryAfterMs?: number | null; usage?: Usage | null; receivedCharacters?: number } = {},
): ProviderFault {
  return {
    fault,
    problem,
    retryAfterMs: known.retryAfterMs ?? null,
    usage: known.usage ?? null,
    receivedCharacters: known.receivedCharacters ?? 0,
  };
}

/**
 * The fault that an HTTP status other than 2xx stands for. Of the body only a code of a closed list is looked at, and nothing of it is
 * repeated: it may quote the key or the prompt.
 */
export function faultOfStatus({
  status,
  headers,
  body,
  now,
}: {
  status: number;
  headers: Headers;
  body: string;
  now: number;
}): ProviderFault {
  const retryAfterMs = retryAfterOf(headers, now);
  const said = `the provider answered with status ${status}`;
  if (status === 429 && spent.some((code) => codesIn(body).includes(code)))
    return faultOf("refused_key", `${said}: the account of this key has nothing left to spend`);
  const known = statuses.find(([from, to]) => status >= from && status <= to);
  if (known === undefined) return faultOf("unusable", said, { retryAfterMs });
  const [, , fault, words] = known;
  return faultOf(fault, `${said}: ${words}`, { retryAfterMs });
}

/** Codes of an account that is out of money: waiting does not help. Source: OpenAI, "Error codes", 429. */
const spent: readonly string[] = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"];

/** First and last status, fault, words. The first row that fits is taken. */
const statuses: readonly (readonly [number, number, ProviderFault["fault"], string])[] = [
  [300, 399, "refused_request", "it sends the request elsewhere, and a key is not sent after it; correct the base URL"],
  [401, 401, "refused_key", "it does not accept the key"],
  [402, 402, "refused_key", "it wants a payment first"],
  [403, 403, "refused_key", "the key may not do this"],
  [404, 404, "refused_request", "it knows no such model, or the base URL is not the API's"],
  [408, 408, "timed_out", "it gave up waiting"],
  [409, 409, "overloaded", "it is busy with something that conflicts"],
  [413, 413, "refused_request", "the request is too large for it"],
  [425, 425, "overloaded", "it is too early for it"],
  [429, 429, "rate_limited", "too much was asked of it"],
  [400, 499, "refused_request", "it does not accept the request"],
  // 529 is how Anthropic says that it is overloaded.
  [500, 599, "overloaded", "it is overloaded or out of order"],
];

/** Error types that come inside a stream, where there is no status any more. Sources: both providers' lists of errors. */
const streamed: readonly (readonly [string, ProviderFault["fault"], string])[] = [
  ["overloaded_error", "overloaded", "that it is overloaded"],
  ["rate_limit_error", "rate_limited", "that too much was asked of it"],
  ["rate_limit_exceeded", "rate_limited", "that too much was asked of it"],
  ["insufficient_quota", "refused_key", "that the account of this key has nothing left to spend"],
  ["authentication_error", "refused_key", "that it does not accept the key"],
  ["permission_error", "refused_key", "that the key may not do this"],
  ["invalid_request_error", "refused_request", "that it does not accept the request"],
  ["context_length_exceeded", "refused_request", "that the request is too long for the model"],
];

/** The fault that an error event inside a stream stands for; `null` where it names none that is known. */
export function faultOfEvent(error: unknown): ProviderFault | null {
  const codes = codesIn(jsonOf(error));
  const known = streamed.find(([code]) => codes.includes(code));
  if (known === undefined) return null;
  return faultOf(known[1], `the provider broke its reply off and said ${known[2]}`);
}

function jsonOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

/** The plain words that stand under `type` or `code` somewhere in a JSON text. */
function codesIn(text: string): readonly string[] {
  return [...text.slice(0, 65_536).matchAll(/"(?:type|code)"\s*:\s*"([a-z_]{1,40})"/g)].map((match) => match[1] ?? "");
}

const longestPauseMs = 24 * 60 * 60 * 1000;

/**
 * How long the provider asks to be left alone, in milliseconds: `retry-after-ms` (OpenAI), else `retry-after` in seconds or as an HTTP
 * date (RFC 9110, 10.2.3), read against `now`. `null` where it does not ask, or for what cannot be read.
 */
export function retryAfterOf(headers: Headers, now: number): number | null {
  const inMs = headers.get("retry-after-ms")?.trim();
  if (inMs !== undefined && /^\d{1,15}(?:\.\d+)?$/.test(inMs)) return Math.min(Math.ceil(Number(inMs)), longestPauseMs);
  const after = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,15}(?:\.\d+)?$/.test(after)) return Math.min(Math.ceil(Number(after) * 1000), longestPauseMs);
  const date = /^[A-Z][a-z]{2,8},? \d/.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? null : Math.min(Math.max(0, date - now), longestPauseMs);
}
