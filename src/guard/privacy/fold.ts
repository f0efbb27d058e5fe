// Takes the chances of spelling out of a text, so that detection reads one form. Pure and linear; the original is never changed.
import { foldPoint, invisible, latinTwin } from "./fold-point.ts";

/** A text in the one form that detection reads, with the way back to the text as it was handed over. */
export interface Folded {
  readonly text: string;
  readonly source: string;
  /**
   * For each UTF-16 code unit of `text` where it begins and ends in `source`; `null` where both texts are the same.
   * Both units of a surrogate pair have the pair's range.
   */
  readonly origin: { readonly starts: Uint32Array; readonly ends: Uint32Array } | null;
}

/** A part of a text in UTF-16 code units; the end is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Folds full-width forms, digits of all scripts, dashes, spaces, quotation marks and line ends to ASCII, and leaves out what is invisible.
 * A letter and its combining mark become one letter where Unicode has it (NFC). A mark on a plain letter or digit that has none is left out.
 * Cyrillic and Greek letters become their Latin twins in words that have Latin letters or digits, and around an `@`. Case stays.
 */
export function fold(source: string): Folded {
  return isPlain(source) ? { text: source, source, origin: null } : foldForeign(source);
}

/** The part of the original that a part of the folded text came from. It never splits a surrogate pair; an empty part stays empty. */
export function originalRange(folded: Folded, start: number, end: number): Range {
  if (folded.origin === null) return { start, end };
  const { starts, ends } = folded.origin;
  const from = starts[start] ?? folded.source.length;
  return { start: from, end: end <= start ? from : (ends[end - 1] ?? folded.source.length) };
}

// ASCII, the letters of Western and Central Europe and Han characters fold to themselves, and nothing beside them can change them.
const isPlain = (text: string): boolean => !/[^\t\n\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u4e00-\u9fff]/.test(text);

// The word and the token at the end of what is written so far: where they began, and what they hold.
interface Run {
  start: number;
  kinds: number;
}
const latin = 1;
const digit = 2;
const twin = 4;
const otherLetter = 8;
const at = 16;

interface Writing {
  readonly units: Uint16Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  length: number;
  /** Whether there is any letter that has a Latin twin: words need not be followed without one. */
  readonly hasTwins: boolean;
  readonly word: Run;
  readonly token: Run;
}

// Greek and Cyrillic, and the mathematical letters that are folded to Greek ones.
const mayHaveTwins = /[\u0370-\u052f\ud835]/;

function foldForeign(source: string): Folded {
  const size = source.length;
  const writing: Writing = {
    units: new Uint16Array(size),
    starts: new Uint32Array(size),
    ends: new Uint32Array(size),
    length: 0,
    hasTwins: mayHaveTwins.test(source),
    word: { start: 0, kinds: 0 },
    token: { start: 0, kinds: 0 },
  };
  for (let index = 0; index < size; ) {
    index = writing.hasTwins ? index : copyPlain(writing, source, index);
    if (index < size) index = writeNext(writing, source, index);
  }
  endWord(writing);
  endToken(writing);
  const { units, starts, ends, length } = writing;
  return {
    text: textOf(units, length),
    source,
    origin: { starts: starts.subarray(0, length), ends: ends.subarray(0, length) },
  };
}

// Copies ASCII up to where it ends, which folds to itself but for the ends of lines.
function copyPlain(writing: Writing, source: string, from: number): number {
  const { units, starts, ends } = writing;
  const shift = writing.length - from;
  let index = from;
  for (let unit = source.charCodeAt(index); unit < 0x80 && unit !== 0x0d; unit = source.charCodeAt(index)) {
    units[index + shift] = unit;
    starts[index + shift] = index;
    index += 1;
    ends[index + shift - 1] = index;
  }
  writing.length = index + shift;
  return index;
}

// Reads one character and answers with where the next one begins.
function writeNext(writing: Writing, source: string, index: number): number {
  const unit = source.charCodeAt(index);
  if (unit === 0x0d) {
    const end = source.charCodeAt(index + 1) === 0x0a ? index + 2 : index + 1;
    write(writing, 0x0a, index, end);
    return end;
  }
  if (unit < 0x80) {
    write(writing, unit, index, index + 1);
    return index + 1;
  }
  const point = source.codePointAt(index) ?? unit;
  const end = index + (point > 0xffff ? 2 : 1);
  if (isLatinMark(point) && joinMark(writing, point, end)) return end;
  const folded = foldPoint(point);
  if (folded === invisible) return end;
  if (folded <= 0xffff) write(writing, folded, index, end);
  else writePair(writing, source, index);
  return end;
}

const isLatinMark = (point: number): boolean =>
  (point >= 0x300 && point <= 0x36f && point !== 0x34f) || (point >= 0x20d0 && point <= 0x20ff);

const isAsciiWord = (unit: number): boolean =>
  (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);

// Whether the mark went into the character before it. One mark at a time, so that a pile of a thousand costs a thousand small steps.
function joinMark(writing: Writing, mark: number, end: number): boolean {
  const last = writing.length - 1;
  const base = writing.units[last];
  if (base === undefined || base < 0x30) return false;
  const joined = String.fromCharCode(base, mark).normalize("NFC");
  if (joined.length > 1 && !isAsciiWord(base) && !isAccentedLatin(base)) return false;
  if (joined.length === 1) writing.units[last] = joined.charCodeAt(0);
  writing.ends[last] = end;
  return true;
}

const isAccentedLatin = (unit: number): boolean => (unit >= 0xc0 && unit <= 0x24f) || (unit >= 0x1e00 && unit <= 0x1eff);

function writePair(writing: Writing, source: string, index: number): void {
  write(writing, source.charCodeAt(index), index, index + 2);
  write(writing, source.charCodeAt(index + 1), index, index + 2);
}

function write(writing: Writing, unit: number, start: number, end: number): void {
  if (writing.hasTwins) follow(writing, unit);
  writing.units[writing.length] = unit;
  writing.starts[writing.length] = start;
  writing.ends[writing.length] = end;
  writing.length += 1;
}

// Keeps what is known of the word and the token that the next unit belongs to.
function follow(writing: Writing, unit: number): void {
  const kind = kindOf(unit);
  if (kind === 0 && writing.word.kinds !== 0) endWord(writing);
  if (isTokenEnd(unit)) endToken(writing);
  if (kind !== 0 && writing.word.kinds === 0) writing.word.start = writing.length;
  writing.word.kinds |= kind;
  if (kind !== 0 || unit === 0x40) {
    if (writing.token.kinds === 0) writing.token.start = writing.length;
    writing.token.kinds |= unit === 0x40 ? at : kind;
  }
}

function kindOf(unit: number): number {
  if (unit < 0x80) return !isAsciiWord(unit) ? 0 : unit <= 0x39 ? digit : latin;
  if (isAccentedLatin(unit)) return latin;
  if (latinTwin(unit) !== undefined) return twin;
  return unit >= 0x300 && !(unit >= 0x2000 && unit <= 0x2bff) && !(unit >= 0x3000 && unit <= 0x303f) ? otherLetter : 0;
}

// White space, and what stands around an address in prose and markup.
const isTokenEnd = (unit: number): boolean =>
  unit <= 0x20 ||
  unit === 0x22 ||
  unit === 0x28 ||
  unit === 0x29 ||
  unit === 0x2c ||
  unit === 0x3b ||
  unit === 0x3c ||
  unit === 0x3e;

function endWord({ word, units, length }: Writing): void {
  const { start, kinds } = word;
  word.kinds = 0;
  if ((kinds & twin) === 0) return;
  if ((kinds & latin) !== 0 || (kinds & (digit | otherLetter)) === digit) foldTwins(units, start, length);
}

function endToken({ token, units, length }: Writing): void {
  const { start, kinds } = token;
  token.kinds = 0;
  if ((kinds & (at | twin)) === (at | twin) && (kinds & (latin | digit)) !== 0) foldTwins(units, start, length);
}

function foldTwins(units: Uint16Array, start: number, end: number): void {
  for (let index = start; index < end; index += 1) {
    const unit = units[index] ?? 0;
    units[index] = latinTwin(unit) ?? unit;
  }
}

function textOf(units: Uint16Array, length: number): string {
  // A call with more arguments than some ten thousand may overflow the stack.
  const piece = 8192;
  let text = "";
  for (let index = 0; index < length; index += piece) {
    const part = units.subarray(index, Math.min(length, index + piece));
    // An array of numbers for all that `apply` asks of it; spreading it costs more than all the rest of the fold.
    text += String.fromCharCode.apply(null, part as unknown as number[]);
  }
  return text;
}
