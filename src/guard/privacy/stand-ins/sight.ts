import { fewestSigns } from "./base.ts";
import type { Anchored, Drawn } from "./drawn.ts";
import { isExtended } from "./extended.ts";
import { keysOfShaped, wholeKey } from "./keys.ts";
import { isAlphanumericAt, isDigitAt, isGlued, type Shaped, walkShapes } from "./marks.ts";
import { wordMark } from "./words.ts";

/** A stand-in in a text with what it stands for; `null` for what is only shaped like one, or runs on: altered or invented. */
export interface Sighting {
  readonly start: number;
  readonly end: number;
  readonly surface: string | null;
}

/** Finds the stand-ins of one payload in a text, the longest first at each place, from left to right and without overlap. Linear in time. */
export function sightStandIns(drawn: Drawn, text: string): readonly Sighting[] {
  const odd: Shaped[] = [];
  const known = knownIn(drawn, text, (shaped, last) => {
    // What stands before `@example.invalid` may be a stand-in of its own: `@` and what follows were added to it.
    const rest = shaped.kind === "mail" ? { ...shaped, start: Math.max(shaped.start, last) } : shaped;
    if (rest.start >= last && isOdd({ drawn, text, shaped: rest })) odd.push(rest);
  });
  const all = odd.length === 0 ? known : withOdd(known, odd);
  return all.map((one) => (one.surface !== null && isExtended(text, one.start, one.end) ? { ...one, surface: null } : one));
}

/** This payload's own stand-ins in a text; `other` is handed what else has such a shape, with the end of the stand-in before it. */
function knownIn(drawn: Drawn, text: string, other: (shaped: Shaped, last: number) => void): readonly Sighting[] {
  const known: Sighting[] = [];
  let last = 0;
  walkShapes(text, (shaped) => {
    const found = knownAt({ drawn, text, shaped, from: last });
    if (found === null) {
      other(shaped, last);
      return null;
    }
    known.push(found);
    last = found.end;
    return found.end;
  });
  return known;
}

/** A part of a text: from `start` to below `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Looks at a text before it is encoded. Remembers what is shaped like a stand-in and is none of this payload, since nothing may be drawn
 * like it and a model may say it. Returns the stand-ins of this payload (`known`) and what can be nothing but another payload's (`others`):
 * neither is anybody's data. A number is never taken for another's: accounts and phone numbers of people do begin with zeros.
 */
export function surveyText(drawn: Drawn, text: string): { readonly known: readonly Span[]; readonly others: readonly Span[] } {
  const others: Span[] = [];
  const known = knownIn(drawn, text, (shaped) => {
    const keys = keysOfShaped(shaped);
    // With the longest of them come all the others.
    if (!drawn.foreign.has(keys.at(-1) ?? "")) for (const key of keys) drawn.foreign.add(key);
    const isOthers =
      shaped.kind === "word" || (shaped.kind === "mail" && shaped.key.includes(wordMark)) || shaped.key.startsWith("zz00");
    if (isOthers && isShapedEnough({ drawn, text, shaped })) others.push(shaped);
  });
  return { known, others };
}

/** The text with the values in the place of the stand-ins. */
export function putBack(text: string, sightings: readonly Sighting[]): string {
  let value = "";
  let from = 0;
  for (const { start, end, surface } of sightings) {
    value += text.slice(from, start) + (surface ?? text.slice(start, end));
    from = end;
  }
  return from === 0 ? text : value + text.slice(from);
}

interface Looking {
  readonly drawn: Drawn;
  readonly text: string;
  readonly shaped: Shaped;
}

function knownAt({ drawn, text, shaped, from }: Looking & { readonly from: number }): Sighting | null {
  if (shaped.ends !== undefined || shaped.kind === "count") return groupedAt({ drawn, text, shaped, from });
  const list = drawn.anchored.get(wholeKey(shaped.key));
  return list === undefined ? null : longestOf({ list, text, anchor: shaped.start, from });
}

/** The longest of them that stands there; of several of one length the one in the same letter case. */
function longestOf({
  list,
  text,
  anchor,
  from,
}: {
  readonly list: readonly Anchored[];
  readonly text: string;
  readonly anchor: number;
  readonly from: number;
}): Sighting | null {
  let best: Anchored | null = null;
  for (const one of list) {
    if (best !== null && one.text.length < best.text.length) break;
    const start = anchor - one.offset;
    if (start < from || isGlued(text, start) || isGlued(text, start + one.text.length)) continue;
    const there = text.slice(start, start + one.text.length);
    if (there === one.text) return { start, end: start + there.length, surface: one.surface };
    if (there.toLowerCase() === one.lower) best ??= one;
  }
  if (best === null) return null;
  const start = anchor - best.offset;
  return { start, end: start + best.text.length, surface: best.surface };
}

/** A number or code of ours at the beginning of what is grouped there; more groups may stand behind it. */
function groupedAt({
  drawn,
  text,
  shaped: { start, end, key, ends },
  from,
}: Looking & { readonly from: number }): Sighting | null {
  if (start < from) return null;
  for (const length of drawn.lengths) {
    const group = length > key.length ? undefined : drawn.grouped.get(key.slice(0, length));
    const groupEnd = ends === undefined ? end : (ends[length - 1] ?? end);
    if (group === undefined || (ends === undefined && key.length !== length) || isGluedEnd(text, groupEnd)) continue;
    const plusStart = group.hasPlus && start > from && text.charAt(start - 1) === "+" ? start - 1 : start;
    const surface = group.bySpelling.get(text.slice(plusStart, groupEnd)) ?? group.first;
    return { start: plusStart, end: groupEnd, surface };
  }
  return null;
}

function isGluedEnd(text: string, end: number): boolean {
  return isDigitAt(text, end - 1) ? isDigitAt(text, end) : isAlphanumericAt(text, end);
}

/** Whether it must have been one of ours: the payload had nothing like it, and by chance nobody writes so. */
function isOdd(looking: Looking): boolean {
  const { drawn, shaped } = looking;
  return isShapedEnough(looking) && !keysOfShaped(shaped).some((key) => drawn.foreign.has(key));
}

// In one letter case throughout, or words of which a model has lost the spaces.
const plainWord = /^(?:[A-Z]?[a-z]+|[A-Z]+|(?:[A-Z][a-z]{3,}){2,4})$/;

function isShapedEnough({
  drawn: { shapes, anchored, lengths },
  text,
  shaped: { kind, start, end, key, ends },
}: Looking): boolean {
  switch (kind) {
    case "word":
      // Letters beside digits or in mixed case are base64 and the like.
      if (/[\d_]/.test(text.charAt(start - 1) + text.charAt(end))) return false;
      return key.length >= 6 && plainWord.test(text.slice(start, end));
    case "mail":
      return true;
    case "number":
      if (key.length < fewestSigns || !/[1-9]/.test(key) || continuesNumber(text, start)) return false;
      return text.charAt(start - 1) === "+" || shapes.has("number") || shapes.has("phone");
    case "code":
      if (key.startsWith("zz00")) return key.length >= 12;
      return (
        shapes.has("code") &&
        /^.{6}/s.test(key) &&
        /\d/.test(key.slice(0, (ends ?? []).filter((at, i) => at === start + i + 1).length))
      );
    case "count":
      return shapes.has("count") && lengths.includes(key.length);
    case "whole":
      return shapes.has("ip") || shapes.has("mac");
    default:
      return anchored.has(key) && !isAlphanumericAt(text, start - 1) && !isAlphanumericAt(text, end);
  }
}

/** Whether more of a number stands before it, as in `1 000 000 000`, in `-0000123` of a longer key or in a fraction. */
function continuesNumber(text: string, start: number): boolean {
  const before = text.charAt(start - 1);
  if (/[A-Za-z_]/.test(before)) return true;
  if (!/[ .,'’\-/()\u00a0\u202f]/.test(before)) return false;
  return isDigitAt(text, start - 2) || (before === "-" && isAlphanumericAt(text, start - 2)) || isDigitAt(text, start - 3);
}

/** In order of the text. What is odd reaches to the next stand-in at most, and must still be long enough for one there. */
function withOdd(known: readonly Sighting[], odd: readonly Shaped[]): readonly Sighting[] {
  const all: Sighting[] = [];
  let at = 0;
  let last = 0;
  for (const { start, end, kind, ends } of odd) {
    for (; at < known.length; at += 1) {
      const next = known[at];
      if (next === undefined || next.start > start) break;
      all.push(next);
      last = next.end;
    }
    const limit = known[at]?.start ?? end;
    const count = ends?.filter((signEnd) => signEnd <= limit).length ?? fewestSigns;
    if (start < last || count < fewestSigns) continue;
    // A mail's mark may be that of a stand-in that begins within it.
    if (kind === "mail" && limit < end) continue;
    all.push({ start, end: Math.min(end, limit), surface: null });
    last = Math.min(end, limit);
  }
  return [...all, ...known.slice(at)];
}
