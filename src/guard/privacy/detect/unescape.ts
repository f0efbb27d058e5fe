import { type Folded, fold, type Range } from "../fold.ts";

const mostLevels = 3;
/** So much of a text is read with an escape, and then on to the ends of its lines. */
const around = 256;

/**
 * Reads a folded text as whoever unpacks it will: escapes of URLs (`%40`, and `%2540`), of JSON (`\u0040`, `\n`) and of HTML (`&#64;`, `&commat;`),
 * up to three deep, folded anew. Places lead back to the original; a character that was escaped has its whole escape's range.
 * Answers with the parts of the text that have escapes, each with the lines around it; none where there is nothing to unescape.
 */
export function unescapeText(folded: Folded): readonly Folded[] {
  return partsWithEscapes(folded.text).flatMap(({ start, end }) => unescapePart(slicedOf(folded, start, end)) ?? []);
}

/** A short text as whoever unpacks it will read it, folded and up to three escapes deep: for looking at it, without the way back. */
export function unescapedText(text: string): string {
  const folded = fold(text);
  return (unescapePart(folded) ?? folded).text;
}

function unescapePart(part: Folded): Folded | null {
  let current = part;
  for (let level = 0; level < mostLevels; level += 1) {
    const unescaped = unescapeOnce(current.text);
    if (unescaped === null) break;
    current = chain(chain(current, unescaped), fold(unescaped.text));
  }
  return current === part ? null : current;
}

function partsWithEscapes(text: string): readonly Range[] {
  const parts: { readonly start: number; end: number }[] = [];
  for (const { index } of text.matchAll(anyEscape)) {
    const last = parts.at(-1);
    if (last !== undefined && index + around <= last.end) continue;
    const line = text.indexOf("\n", Math.min(text.length, index + around));
    const end = line < 0 ? text.length : line;
    const start = index < around ? 0 : text.lastIndexOf("\n", index - around) + 1;
    if (last !== undefined && start <= last.end) last.end = end;
    else parts.push({ start, end });
  }
  return parts;
}

function slicedOf(folded: Folded, start: number, end: number): Folded {
  if (start === 0 && end === folded.text.length) return folded;
  const { source, origin } = folded;
  const starts = origin?.starts.subarray(start, end) ?? Uint32Array.from({ length: end - start }, (_, at) => start + at);
  const ends = origin?.ends.subarray(start, end) ?? Uint32Array.from({ length: end - start }, (_, at) => start + at + 1);
  return { text: folded.text.slice(start, end), source, origin: { starts, ends } };
}

// Makes one way back of two: of a text that was made of `first.text`.
function chain(first: Folded, second: Folded): Folded {
  const { source, origin: outer } = first;
  const { text, origin: inner } = second;
  if (inner === null) return { text, source, origin: outer };
  if (outer === null) return { text, source, origin: inner };
  return {
    text,
    source,
    origin: {
      starts: throughOf(inner.starts, outer.starts, 0),
      ends: throughOf(inner.ends, outer.ends, 1),
    },
  };
}

function throughOf(inner: Uint32Array, outer: Uint32Array, back: 0 | 1): Uint32Array {
  const through = new Uint32Array(inner.length);
  for (let at = 0; at < inner.length; at += 1) through[at] = outer[(inner[at] as number) - back] as number; // both lie within
  return through;
}

interface Writing {
  text: string;
  length: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

const anyEscape = /%[0-9A-Fa-f]{2}|\\(?:u[0-9A-Fa-f]{4}|[nrtbf"'/\\])|&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[a-z]{2,8});/g;

function unescapeOnce(source: string): Folded | null {
  // Most texts have no escape, and nothing is made for them.
  let writing: Writing | null = null;
  let copied = 0;
  for (const { 0: escaped, index } of source.matchAll(anyEscape)) {
    if (index < copied) continue;
    const character = escaped.startsWith("%") ? readUtf8(source, index) : readEscape(escaped);
    if (character === null) continue;
    // No escape is shorter than what it stands for.
    writing ??= { text: "", length: 0, starts: new Uint32Array(source.length), ends: new Uint32Array(source.length) };
    copy(writing, source, { start: copied, end: index });
    copied = index + (escaped.startsWith("%") ? 3 * utf8Length(character) : escaped.length);
    write(writing, character, { start: index, end: copied });
  }
  if (writing === null) return null;
  copy(writing, source, { start: copied, end: source.length });
  const { text, length, starts, ends } = writing;
  return { text, source, origin: { starts: starts.subarray(0, length), ends: ends.subarray(0, length) } };
}

function copy(writing: Writing, source: string, { start, end }: Range): void {
  writing.text += source.slice(start, end);
  let { length } = writing;
  for (let index = start; index < end; index += 1) {
    writing.starts[length] = index;
    writing.ends[length] = index + 1;
    length += 1;
  }
  writing.length = length;
}

function write(writing: Writing, character: string, { start, end }: Range): void {
  writing.text += character;
  for (let unit = 0; unit < character.length; unit += 1) {
    writing.starts[writing.length] = start;
    writing.ends[writing.length] = end;
    writing.length += 1;
  }
}

// One character of the bytes that escapes name from a place on; `null` where they are no UTF-8 (RFC 3629).
function readUtf8(source: string, index: number): string | null {
  const first = byteAt(source, index);
  if (first < 0x80) return String.fromCharCode(first);
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  const bytes = [first];
  for (let at = 1; at < size; at += 1)
    bytes.push(source.charAt(index + 3 * at) === "%" ? byteAt(source, index + 3 * at) : Number.NaN);
  return readCharacter(bytes);
}

const byteAt = (source: string, index: number): number => Number.parseInt(source.slice(index + 1, index + 3), 16);

/** The character that two to four bytes of UTF-8 stand for; `null` where they stand for none. */
export function readCharacter(bytes: readonly number[]): string | null {
  const [first = 0, ...others] = bytes;
  if (first < 0xc2 || others.length === 0 || others.some((byte) => !(byte >= 0x80 && byte < 0xc0))) return null;
  const point = others.reduce((value, byte) => value * 64 + (byte & 0x3f), first & (0x7f >> bytes.length));
  const least = [0, 0, 0x80, 0x800, 0x10000][bytes.length] ?? 0;
  return point < least || point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? null : String.fromCodePoint(point);
}

const utf8Length = (character: string): number => {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
};

const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", commat: "@", period: ".", plus: "+", hyphen: "-" },
    ...{ dash: "-", ndash: "-", mdash: "-", lowbar: "_", colon: ":", sol: "/", num: "#", lpar: "(", rpar: ")", shy: "\u00ad" },
  }),
);

const simple: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: "\n", r: "\n", t: "\t", b: " ", f: "\n", '"': '"', "'": "'", "/": "/", "\\": "\\" }),
);

function readEscape(escaped: string): string | null {
  if (escaped.startsWith("\\u")) return String.fromCharCode(Number.parseInt(escaped.slice(2), 16));
  if (escaped.startsWith("\\")) return simple.get(escaped.charAt(1)) ?? null;
  if (!escaped.startsWith("&#")) return named.get(escaped.slice(1, -1)) ?? null;
  const isHex = /^&#x/i.test(escaped);
  const point = Number.parseInt(escaped.slice(isHex ? 3 : 2, -1), isHex ? 16 : 10);
  return point > 0x10ffff || (point >= 0xd800 && point < 0xe000) || point === 0 ? null : String.fromCodePoint(point);
}
