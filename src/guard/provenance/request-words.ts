/**
 * What the principal typed, as spans of whole words. A span that stands inside a longer word, number or address is none:
 * `10` does not stand in `10.00`, and `a@b.com` not in `a@b.com.example`. Pure, linear in the text.
 */
import type { Json } from "../../contract/json.ts";
import type { ValueType } from "../../contract/plan.ts";

const inner = /[\p{L}\p{N}\p{M}_]/u;
/** Joins what stands on both sides of it to one word. */
const joiner = /[-.@/:+#%&=?~\\]/u;
const digit = /\p{N}/u;

/** How often a text stands in the request as whole words. */
export function timesIn(request: string, text: string): number {
  if (text.trim() === "") return 0;
  let times = 0;
  for (let at = request.indexOf(text); at !== -1; at = request.indexOf(text, at + text.length))
    if (isBounded(request, at, at + text.length)) times += 1;
  return times;
}

function isBounded(request: string, start: number, end: number): boolean {
  return !isJoined(request, start, -1) && !isJoined(request, end - 1, 1);
}

/** Says whether the word at a place goes on beyond it, in the direction. */
function isJoined(request: string, edge: number, step: -1 | 1): boolean {
  const own = charAt(request, edge, step === 1 ? -1 : 1);
  const next = charAt(request, edge + step, step);
  if (next === "") return false;
  if (inner.test(next)) return inner.test(own) || joiner.test(own);
  const beyond = charAt(request, edge + step + step * next.length, step);
  // `1,000` is one number; `Alice,Bob` are two names.
  if (next === ",") return digit.test(own) && digit.test(beyond);
  return joiner.test(next) && inner.test(beyond);
}

/** The character at a place, whole where it takes two code units. */
function charAt(text: string, at: number, step: -1 | 1): string {
  if (at < 0 || at >= text.length) return "";
  const start = step === -1 && isTail(text, at) ? at - 1 : at;
  return String.fromCodePoint(text.codePointAt(start) ?? 0);
}

function isTail(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0;
}

/** How often a value was typed by the principal: as it stands, and for a number in any of its decimal forms. */
export function timesTyped(request: string, value: Json, type: ValueType): number {
  if (typeof value === "string") return fitsType(value, type) ? timesIn(request, value) : 0;
  if (typeof value !== "number") return 0;
  return numbersIn(request).filter((one) => one === value).length;
}

function numbersIn(request: string): readonly number[] {
  return [...request.matchAll(/\d+(?:\.\d+)?/gu)]
    .filter(({ 0: text, index }) => isBounded(request, index, index + text.length))
    .map(([text]) => Number(text));
}

/** The value that a span of the request stands for in an argument of a type; `undefined` where it is not of that type. */
export function literalValue(text: string, type: ValueType): Json | undefined {
  if (type === "number" || type === "integer") {
    const value = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
    return value !== undefined && fitsType(value, type) ? value : undefined;
  }
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  return fitsType(text, type) ? text : undefined;
}

const shapes: { readonly [type in Exclude<ValueType, "integer" | "number" | "boolean">]: RegExp } = {
  text: /^(?:[\t\r\n]|[^\p{Cc}\p{Cf}]){1,5000}$/u,
  email: /^[^\s@,;:<>"'()[\]\\]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/i,
  url: /^(?:https?:\/\/)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?(?:[/?#][^\s\p{Cc}\p{Cf}]*)?$/iu,
  iban: /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/,
  user: /^[^\p{Cc}\p{Cf}]{1,100}$/u,
  id: /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?|\d{1,2}:\d{2})$/,
};

/** Says whether a value looks like its type; nothing is converted. */
export function fitsType(value: Json, type: ValueType): boolean {
  if (type === "integer") return typeof value === "number" && Number.isSafeInteger(value);
  if (type === "number") return typeof value === "number" && Number.isFinite(value);
  if (type === "boolean") return typeof value === "boolean";
  if (typeof value === "string") return shapes[type].test(value);
  // An id may be a number in the system that gave it.
  return type === "id" && typeof value === "number" && Number.isSafeInteger(value);
}
