import type { ErrorCode } from "../../src/contract/errors.ts";

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
/** A body that asks for the one capability of the test's project. */
export const decide = (inputs: string) => `{"capability":"note","inputs":${inputs}}`;
const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part)] : part)));

/** Bodies that are refused before anything is written: what it is, the body, the code. */
export const bodies: [string, string | Uint8Array<ArrayBuffer>, ErrorCode][] = [
  ["an unknown capability", '{"capability":"launch","inputs":{}}', "unknown_capability"],
  ["the built-in capability by its name", '{"capability":"intake","inputs":{"text":"x"}}', "unknown_capability"],
  ["a capability that is the name of a method", '{"capability":"constructor","inputs":{}}', "unknown_capability"],
  ["a capability of 64 characters", `{"capability":"${"n".repeat(64)}","inputs":{}}`, "bad_request"],
  ["a capability that is no text", '{"capability":7,"inputs":{}}', "bad_request"],
  ["no capability", '{"inputs":{}}', "bad_request"],
  ["no inputs", '{"capability":"note"}', "bad_request"],
  ["a member that nobody knows", '{"capability":"note","inputs":{},"approved":true}', "bad_request"],
  ["a list", "[]", "bad_request"],
  ["null", "null", "bad_request"],
  ["1 MB of text", decide(`{"text":"${"x".repeat(1_048_576)}"}`), "too_large"],
  ["nothing", "", "bad_json"],
  ["text that is not JSON", "text=hello", "bad_json"],
  ["JSON that ends early", '{"capability":"note","inputs":{', "bad_json"],
  ["two values", '{"capability":"note","inputs":{}} {}', "bad_json"],
  ["a byte order mark and a NUL", bytes([0xef, 0xbb, 0xbf], decide("{}"), [0]), "bad_json"],
  ["a raw NUL in a text", bytes('{"capability":"note","inputs":{"text":"a', [0], '"}}'), "bad_json"],
  ["bytes that are not UTF-8", bytes('{"capability":"note","inputs":{"text":"', [0xc3, 0x28], '"}}'), "bad_json"],
  ["a surrogate in raw bytes", bytes('{"capability":"note","inputs":{"text":"', [0xed, 0xa0, 0x80], '"}}'), "bad_json"],
  ["an overlong slash", bytes('{"capability":"note","inputs":{"text":"', [0xc0, 0xaf], '"}}'), "bad_json"],
  ["an escaped NUL", decide('{"text":"a\\u0000b"}'), "bad_text"],
  ["an escaped NUL in a key", decide('{"a\\u0000b":1}'), "bad_text"],
  ["a lone high surrogate", decide('{"text":"\\ud800"}'), "bad_text"],
  ["a lone low surrogate", decide('{"text":"a\\udc00b"}'), "bad_text"],
  ["surrogates in the wrong order", decide('{"text":"\\udc00\\ud800"}'), "bad_text"],
  ["lists 10,000 deep", decide(`{"text":"x","extra":${nested(10_000)}}`), "bad_json"],
  ["lists 65 deep in all", decide(`{"text":"x","extra":${nested(63)}}`), "bad_json"],
  ["objects 10,000 deep", decide(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`), "bad_json"],
  ["a key `__proto__`", decide('{"text":"x","__proto__":{"isAdmin":true}}'), "bad_json"],
  ["a key `__proto__` in disguise", decide('{"text":"x","\\u005f_proto__":{"isAdmin":true}}'), "bad_json"],
  ["a key `__proto__` further down", decide('{"text":"x","extra":[{"__proto__":1}]}'), "bad_json"],
  ["the capability twice", '{"capability":"launch","inputs":{"text":"x"},"capability":"note"}', "bad_json"],
  ["an input twice, once in disguise", decide('{"text":"x","t\\u0065xt":"y"}'), "bad_json"],
];
