import type { Usage } from "../../contract/model.ts";
import type { Answer, RetryAfter, Said } from "./answers.ts";
import { oneOf, type Roll } from "./roll.ts";
import { spoils } from "./spoil.ts";

/** One kind of answer, of which a seed picks an instance. */
interface Misbehaviour {
  readonly means: string;
  /** Whether the answer ends by itself; where it does not, whoever waits has to end the wait. */
  readonly ends: boolean;
  readonly answer: (good: string, roll: Roll) => Answer;
}

/** The closed list of what `answerOf` knows, the good reply first: what each means, and whether the answer ends by itself. */
export const misbehaviours = {
  well_behaved: text("the reply is good", (good) => ({ kind: "reply", text: good })),
  wrong_shape: text("JSON of another shape: a value missing, of another type, or too many", spoils.wrong_shape),
  prose_around: text("sentences before or after the JSON", spoils.prose_around),
  code_fence: text("the JSON in a code fence", spoils.code_fence),
  two_replies: text("the JSON twice", spoils.two_replies),
  cut_json: text("JSON that ends at any byte", spoils.cut_json),
  cut_character: text("JSON that ends inside a character's bytes", spoils.cut_character),
  cut_escape: text(String.raw`JSON that ends inside \uD83D\uDE00`, spoils.cut_escape),
  lone_surrogate: text("half of a surrogate pair in a string", spoils.lone_surrogate),
  escaped_nul: text("an escaped NUL in a string", spoils.escaped_nul),
  duplicate_keys: text("an object with a key twice", spoils.duplicate_keys),
  prototype_key: text("an object with a key `__proto__`", spoils.prototype_key),
  not_a_number: text("NaN or infinity as a value", spoils.not_a_number),
  huge_integer: text("9E1874 and other numbers that no double holds", spoils.huge_integer),
  long_string: text("a string of 100 KB", spoils.long_string),
  deep_nesting: text("10,000 arrays inside each other", spoils.deep_nesting),
  trailing_comma: text("a comma before the last brace", spoils.trailing_comma),
  python_words: text("None, True and the like", spoils.python_words),
  empty_text: text("no text, white space or null", spoils.empty_text),
  tiny_pieces: text("a good reply, streamed one UTF-16 code unit at a time", (good) => ({
    kind: "reply",
    text: good,
    pieceUnits: 1,
  })),
  big_reply: text("a good reply with 3 MB of white space", (good) => ({
    kind: "reply",
    text: good + " ".repeat(3 * 1024 * 1024),
  })),
  length_cut: text("the model came to its limit of tokens", (good, roll) => ({
    kind: "reply",
    text: good,
    stop: "length",
    cutAt: roll(Buffer.byteLength(good)),
  })),
  content_filter: text("a filter ended the reply", (good, roll) => ({
    kind: "reply",
    text: good,
    stop: "filter",
    cutAt: roll(Buffer.byteLength(good)),
  })),
  unknown_stop: text("the model stopped for a reason that nobody knows", (good) => ({
    kind: "reply",
    text: good,
    stop: "unknown",
  })),
  refusal: text("the model refuses", (_good, roll) => ({
    kind: "refusal",
    text: oneOf(roll, ["I cannot help with that.", "", "{}"]),
  })),
  no_choice: text("no message at all", () => ({ kind: "nothing", what: "no_choice" })),
  no_content: text("a message without content", () => ({ kind: "nothing", what: "no_content" })),
  usage_missing: text("a good reply that does not say what was used", (good) => ({ kind: "reply", text: good, usage: null })),
  usage_absurd: text("a good reply with a usage that cannot be", (good, roll) => ({
    kind: "reply",
    text: good,
    usage: oneOf(roll, [every(-1_000_000), every(1e300), every(0.5), { ...every(0), cachedTokens: -5, inputTokens: 1 }]),
  })),
  wrong_content_type: text("a good reply under another content type", (good, roll) => ({
    kind: "reply",
    text: good,
    contentType: oneOf(roll, ["text/html", "application/octet-stream", "text/plain; charset=utf-16"]),
  })),
  rate_limited_seconds: error("429 with `retry-after` in seconds", (roll) => limited({ unit: "seconds", value: 1 + roll(60) })),
  rate_limited_date: error("429 with `retry-after` as a date", (roll) => limited({ unit: "date", value: someDay + roll(1e9) })),
  rate_limited_ms: error("429 with `retry-after-ms`", (roll) => limited({ unit: "ms", value: 1 + roll(5000) })),
  rate_limited: error("429 without a word on when", () => ({ kind: "error", status: 429 })),
  server_error: error("500", () => ({ kind: "error", status: 500 })),
  unavailable: error("503", () => ({ kind: "error", status: 503 })),
  overloaded: error("529, which Anthropic sends", () => ({ kind: "error", status: 529 })),
  key_refused: error("401 that quotes the key", () => ({ kind: "error", status: 401, quotesKey: true })),
  request_refused: error("400", () => ({ kind: "error", status: 400 })),
  redirected: error("a redirect to another address", (roll) => ({
    kind: "redirected",
    // The port of `discard`, on which nothing listens.
    to: "http://127.0.0.1:9/v1/elsewhere",
    status: oneOf(roll, [301, 302, 303, 307, 308]),
  })),
  not_json: error("a body that is not JSON", () => ({
    kind: "raw",
    body: "upstream connect error",
    contentType: "application/json",
  })),
  other_json: error("a body of another protocol", (roll) => ({
    kind: "raw",
    body: oneOf(roll, ["{}", "[]", "null", '{"detail":"Not Found"}', '{"output":7,"choices":{},"content":"x"}']),
    contentType: "application/json",
  })),
  html: error("an HTML page with status 200", () => ({
    kind: "raw",
    body: "<!doctype html><html><body><h1>Sign in to the network</h1></body></html>",
    contentType: "text/html; charset=utf-8",
  })),
  packed: part("a good reply packed by gzip, unasked", (of) => ({ kind: "encoded", times: 1, of })),
  many_encodings: part("a reply that says it is packed more often than a client unpacks", (of, roll) => ({
    kind: "encoded",
    times: 6 + roll(20),
    of,
  })),
  malformed_event: part("one event of the stream is cut JSON", (of) => ({ kind: "broken", how: "malformed_event", of })),
  no_final_event: part("the stream ends without its final event", (of) => ({ kind: "broken", how: "no_final_event", of })),
  error_event: part("an error in the middle of the stream", (of) => ({ kind: "broken", how: "error_event", of })),
  dropped_before_headers: part("the connection ends before the headers", (of) => ({ kind: "dropped", atByte: null, of })),
  dropped_in_body: part("the connection ends inside the body", (of, roll) => ({ kind: "dropped", atByte: roll(1000), of })),
  dripped: part("a good reply, one byte at a time", (of) => ({ kind: "dripped", everyMs: 0, of })),
  slow_drip: endless("one byte a second", (of) => ({ kind: "dripped", everyMs: 1000, of })),
  stalled_before_headers: endless("nothing comes", (of) => ({ kind: "stalled", atByte: null, of })),
  stalled_after_headers: endless("headers come, and nothing more", (of) => ({ kind: "stalled", atByte: 0, of })),
  stalled_in_body: endless("a part of the body comes, and nothing more", (of, roll) => ({
    kind: "stalled",
    atByte: 1 + roll(1000),
    of,
  })),
  endless_reply: endless("a text that goes on for ever", () => ({ kind: "endless" })),
} as const satisfies Record<string, Misbehaviour>;

/** One name of the closed list. */
export type MisbehaviourName = keyof typeof misbehaviours;

/** The names of the closed list, in its order: what a property test draws from. */
// The keys of an object of fixed shape are its names.
export const misbehaviourNames = Object.keys(misbehaviours) as readonly MisbehaviourName[];

const someDay = Date.UTC(2026, 2, 2, 9);

function text(means: string, answer: (good: string, roll: Roll) => Said): Misbehaviour {
  return { means, ends: true, answer };
}

function error(means: string, answer: (roll: Roll) => Answer): Misbehaviour {
  return { means, ends: true, answer: (_good, roll) => answer(roll) };
}

function part(means: string, answer: (of: Said, roll: Roll) => Answer): Misbehaviour {
  return { means, ends: true, answer: (good, roll) => answer({ kind: "reply", text: good }, roll) };
}

function endless(means: string, answer: (of: Said, roll: Roll) => Answer): Misbehaviour {
  return { ...part(means, answer), ends: false };
}

function limited(retryAfter: RetryAfter): Answer {
  return { kind: "error", status: 429, retryAfter };
}

function every(tokens: number): Usage {
  return {
    inputTokens: tokens,
    cachedTokens: tokens,
    cacheWriteTokens: tokens,
    outputTokens: tokens,
    reasoningTokens: tokens,
  };
}
