import { fewestSigns } from "./base.ts";

/** What is shaped like a stand-in of ours, wherever it comes from. */
export interface Shaped {
  readonly kind: "word" | "code" | "number" | "whole" | "year" | "mail" | "count";
  readonly start: number;
  readonly end: number;
  /** In small letters, and of what is grouped without the signs between the groups. */
  readonly key: string;
  /** Of what is grouped: where each of its signs ends. */
  readonly ends?: readonly number[];
}

/** Signs that may stand between groups; a model may put others of them there. */
const between = " .\\-/()\\u00a0\\u2010-\\u2015";
/** What a stand-in of each kind is known by. */
const markOf = {
  word: "qv",
  mail: "@example\\.invalid",
  code: "zz00",
  v4: "241\\.",
  v6: "2001:db8:c5c5:",
  hardware: "06[-:]c5[-:]",
} as const;
const marks = `${Object.values(markOf).join("|")}|0[${between}]{0,2}0[${between}]{0,2}0|707\\d|2[6-9]\\d\\d`;
const longestWord = 40;
const mostSigns = 44;

/** What a stand-in stands for, as far as it says what may stand beside it. */
export type StandInKind = "mail" | "v4" | "v6" | "hardware" | "code" | "name" | "digits";

const known: readonly (readonly [RegExp, StandInKind])[] = [
  [new RegExp(`${markOf.mail}$`, "i"), "mail"],
  [new RegExp(`^${markOf.v4}`), "v4"],
  [new RegExp(`^${markOf.v6}`, "i"), "v6"],
  [new RegExp(`^${markOf.hardware}`, "i"), "hardware"],
  [new RegExp(`^(?:${markOf.word}|${markOf.code})`, "i"), "code"],
  [new RegExp(markOf.word, "i"), "name"],
];

/** The kind of a stand-in of ours, by the mark that it bears. */
export function kindOf(standIn: string): StandInKind {
  return known.find(([mark]) => mark.test(standIn))?.[1] ?? "digits";
}

/**
 * Walks over what is shaped like a stand-in, from left to right in linear time. `visit` says where the walk goes on: an end that it took
 * for a stand-in, or `null` where it took none.
 */
export function walkShapes(text: string, visit: (shaped: Shaped) => number | null): void {
  const search = new RegExp(marks, "gi");
  for (let mark = search.exec(text); mark !== null; mark = search.exec(text)) {
    const at = mark.index;
    const shaped = shapedAt(text, at, mark[0]);
    const end = shaped === null ? null : visit(shaped);
    // Without a stand-in the next mark may begin one sign later: of `50001…` the first three zeros are none.
    if (end !== null) search.lastIndex = end;
    else if (isDigitAt(text, at)) search.lastIndex = at + 1;
  }
}

function shapedAt(text: string, at: number, mark: string): Shaped | null {
  switch (mark.charAt(0)) {
    case "q":
    case "Q":
      return wordAt(text, at);
    case "z":
    case "Z":
      return isGlued(text, at) ? null : groupedAt({ text, at, kind: "code", isSign: isAlphanumericAt });
    case "@":
      return mailAt(text, at, mark.length);
    case "0":
      if (mark.charAt(1) === "6") return wholeAt(text, at, /06([-:])c5(?:\1[0-9a-f]{2}){4}(?![0-9a-z])/iy);
      return isDigitAt(text, at - 1) ? null : groupedAt({ text, at, kind: "number", isSign: isDigitAt });
    case "7":
      return digitsAt(text, at, "count");
    default:
      if (mark === "241.") return wholeAt(text, at, /241(?:\.\d{1,3}){3}(?!\d)/y);
      return mark.length > 4 ? wholeAt(text, at, /2001:db8:c5c5(?::[0-9a-f]{4}){5}(?![0-9a-z])/iy) : digitsAt(text, at, "year");
  }
}

/** A word with the mark in it, or a code that begins with it. */
function wordAt(text: string, at: number): Shaped | null {
  const start = wordStart(text, at);
  if (start === at) return isDigitAt(text, at - 1) ? null : groupedAt({ text, at, kind: "code", isSign: isAlphanumericAt });
  let end = at;
  while (end - at <= longestWord && isLetterAt(text, end)) end += 1;
  return end - start > longestWord ? null : { kind: "word", start, end, key: text.slice(start, end).toLowerCase() };
}

/** Where the letters begin that stand before a place. The letter of an escape such as `\n`, in JSON within a text, is none of them. */
function wordStart(text: string, at: number): number {
  let start = at;
  while (at - start <= longestWord && isLetterAt(text, start - 1)) start -= 1;
  return Math.min(at, Math.max(start, escapeEnd(text, start)));
}

/** Whether an escape of JSON within the text, such as `\n`, ends at a place. */
export function endsEscape(text: string, place: number): boolean {
  return place > 0 && escapeEnd(text, place - 1) === place;
}

/** The end of a JSON escape that begins shortly before a place or at the sign before it; -1 where there is none. */
function escapeEnd(text: string, place: number): number {
  for (let back = 1; back <= 5; back += 1) {
    if (text.charAt(place - back) !== "\\") continue;
    const letter = text.charAt(place - back + 1);
    if (letter === "u" && isHex(text, place - back + 2)) return place - back + 6;
    return back === 1 && letter !== "" && "bfnrt".includes(letter) ? place + 1 : -1;
  }
  return -1;
}

function isHex(text: string, from: number): boolean {
  return /^[0-9a-fA-F]{4}$/.test(text.slice(from, from + 4));
}

/** Whether the signs on both sides of a place run into each other: two letters, or two digits. */
export function isGlued(text: string, place: number): boolean {
  if (isDigitAt(text, place)) return isDigitAt(text, place - 1);
  return isLetterAt(text, place) && wordStart(text, place) !== place;
}

interface Grouping {
  readonly text: string;
  readonly at: number;
  readonly kind: "code" | "number";
  readonly isSign: (text: string, at: number) => boolean;
}

function groupedAt({ text, at, kind, isSign }: Grouping): Shaped {
  const ends: number[] = [];
  let key = "";
  let next = at;
  while (ends.length < mostSigns) {
    let skipped = 0;
    while (skipped < 2 && ends.length > 0 && !isSign(text, next + skipped) && isBetween(text, next + skipped)) skipped += 1;
    if (!isSign(text, next + skipped)) break;
    key += text.charAt(next + skipped);
    next += skipped + 1;
    ends.push(next);
  }
  return { kind, start: at, end: next, key: key.toLowerCase(), ends };
}

function wholeAt(text: string, at: number, form: RegExp): Shaped | null {
  form.lastIndex = at;
  const found = form.exec(text)?.[0];
  if (found === undefined || isGlued(text, at)) return null;
  return { kind: "whole", start: at, end: at + found.length, key: found.toLowerCase() };
}

function digitsAt(text: string, at: number, kind: "year" | "count"): Shaped | null {
  if (isDigitAt(text, at - 1)) return null;
  let end = at;
  while (end - at < mostSigns && isDigitAt(text, end)) end += 1;
  if (kind === "year" ? end - at !== 4 : end - at < fewestSigns) return null;
  return { kind, start: at, end, key: text.slice(at, end) };
}

const longestLocal = 64;

function mailAt(text: string, at: number, length: number): Shaped {
  let start = at;
  while (at - start < longestLocal && (isAlphanumericAt(text, start - 1) || /[-._%+]/.test(text.charAt(start - 1)))) start -= 1;
  return { kind: "mail", start, end: at + length, key: text.slice(start, at).toLowerCase() };
}

/** Whether a sign stands there that may stand between groups. */
export function isBetween(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || code === 0xa0 || code === 0x28 || code === 0x29 || (code >= 0x2d && code <= 0x2f) || isDash(code);
}

function isDash(code: number): boolean {
  return code >= 0x2010 && code <= 0x2015;
}

/** Whether a digit of ASCII stands there. */
export function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Whether a letter of ASCII stands there. */
function isLetterAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 32;
  return code >= 97 && code <= 122;
}

/** Whether a letter or digit of ASCII stands there. */
export function isAlphanumericAt(text: string, at: number): boolean {
  return isDigitAt(text, at) || isLetterAt(text, at);
}
