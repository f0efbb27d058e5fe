import { isKeepableText, type Json } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";

/** A reply's text as JSON, or one short sentence that says why it is not, the same however the text was cut. */
export type StrictJson =
  | { readonly kind: "parsed"; readonly value: Json }
  | { readonly kind: "refused"; readonly problem: string };

/** Deeper nesting than any decision needs; what is below it is safe to walk by recursion. */
const maxDepth = 64;
const maxQuoted = 40;

/**
 * Parses one JSON value with nothing but white space around it. Never repairs: prose, code fences, a key given twice in one object
 * (in any spelling), numbers that JavaScript cannot hold, and text that no store can keep are refused.
 * @example
 * parseStrictJson('{"a":1,"\\u0061":2}'); // { kind: "refused", problem: "the reply has the key `a` twice in one object" }
 */
export function parseStrictJson(text: string): StrictJson {
  if (text.length > limits.replyText) return refused(`the reply is longer than ${limits.replyText} characters`);
  if (text.trim() === "") return refused("the reply is empty");
  if (!isKeepableText(text)) return refused(unkeepable);
  const value = parsed(text);
  if (value === undefined) return refused("the reply is not one complete JSON value with nothing around it");
  const problem = problemIn(text);
  return problem === null ? { kind: "parsed", value } : refused(problem);
}

const unkeepable = "the reply holds text that cannot be kept (NUL or a lone surrogate)";

function refused(problem: string): StrictJson {
  return { kind: "refused", problem };
}

function parsed(text: string): Json | undefined {
  try {
    // `JSON.parse` returns plain JSON.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Where a scan stands: the keys seen in each open object (`null` for an array), and the place of the next token. */
interface Scan {
  readonly text: string;
  readonly open: (Set<string> | null)[];
  at: number;
}

/** What `JSON.parse` lets pass, found by one scan over the tokens of a text that is valid JSON. */
function problemIn(text: string): string | null {
  const scan: Scan = { text, open: [], at: 0 };
  while (scan.at < text.length) {
    const problem = problemAtToken(scan);
    if (problem !== null) return problem;
  }
  return null;
}

function problemAtToken(scan: Scan): string | null {
  const first = scan.text.charAt(scan.at);
  if (first === '"') return problemInString(scan);
  if (first === "-" || (first >= "0" && first <= "9")) return problemInNumber(scan);
  scan.at += 1;
  if (first === "{" || first === "[") {
    scan.open.push(first === "{" ? new Set() : null);
    return scan.open.length > maxDepth ? `the reply is nested deeper than ${maxDepth} levels` : null;
  }
  if (first === "}" || first === "]") scan.open.pop();
  return null;
}

function problemInString(scan: Scan): string | null {
  const start = scan.at;
  scan.at = endOfString(scan.text, start);
  const token = scan.text.slice(start, scan.at);
  // A JSON string token is a string.
  const string = token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
  if (!isKeepableText(string)) return unkeepable;
  if (!isKey(scan)) return null;
  const keys = scan.open.at(-1);
  if (keys?.has(string)) return `the reply has the key \`${shortened(string)}\` twice in one object`;
  keys?.add(string);
  return null;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}

/** In valid JSON a string that a colon follows is a key, and nothing else is. */
function isKey({ text, at }: Scan): boolean {
  let next = at;
  while (" \t\n\r".includes(text.charAt(next)) && next < text.length) next += 1;
  return text.charAt(next) === ":";
}

function problemInNumber(scan: Scan): string | null {
  const numberToken = /-?(\d+(?:\.\d+)?)(?:[eE][+-]?\d+)?/y;
  numberToken.lastIndex = scan.at;
  const [token = "", digits = ""] = numberToken.exec(scan.text) ?? [];
  scan.at += Math.max(token.length, 1);
  return isHeld({ token, digits }) ? null : `the reply has the number \`${shortened(token)}\`, which is out of range`;
}

/** Says whether a double holds the number: finite, a whole one exact, one that is not whole not whole either, and no small one zero. */
function isHeld({ token, digits }: { token: string; digits: string }): boolean {
  const value = Number(token);
  if (/^-?\d+$/.test(token)) return Number.isSafeInteger(value);
  if (!Number.isFinite(value)) return false;
  if (value === 0) return !/[1-9]/.test(digits);
  return !Number.isInteger(value) || isWhole({ value, token, digits });
}

/** More digits before the point than this are written with an exponent by whoever means about so much. */
const exactDigits = 21;

/** Says whether a number that became whole is so as it was written, such as `1e3`, and not `15.99999999999999999999`. */
function isWhole({ value, token, digits }: { value: number; token: string; digits: string }): boolean {
  const [before = "", after = ""] = digits.split(".");
  const pointAt = before.length + Number(/[eE]([+-]?\d+)$/.exec(token)?.[1] ?? 0);
  const all = before + after;
  if (/[1-9]/.test(all.slice(Math.max(pointAt, 0)))) return false;
  return pointAt > exactDigits || BigInt(all.slice(0, pointAt).padEnd(pointAt, "0")) === BigInt(Math.abs(value));
}

function shortened(text: string): string {
  return text.length <= maxQuoted ? text : `${text.slice(0, maxQuoted).toWellFormed()}…`;
}
