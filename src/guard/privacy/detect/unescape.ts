import { type Folded, fold, type Range } from "../fold.ts";

const mostLevels = 3;

/**
 * Reads a folded text as whoever unpacks it will: escapes of URLs (`%40`, and `%2540`), of JSON (`\u0040`, `\n`) and of HTML (`&#64;`, `&commat;`),
 * up to three deep, folded anew. Places lead back to the original; a character that was escaped has its whole escape's range.
 * `null` where there is nothing to unescape.
 */
export function unescapeText(folded: Folded): Folded | null {
  let current = folded;
  for (let level = 0; level < mostLevels; level += 1) {
    const unescaped = unescapeOnce(current.text);
    if (unescaped === null) break;
    current = chain(chain(current, unescaped), fold(unescaped.text));
  }
  return current === folded ? null : current;
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
      starts: inner.starts.map((start) => outer.starts[start] ?? source.length),
      ends: inner.ends.map((end) => outer.ends[end - 1] ?? source.length),
    },
  };
}

interface Writing {
  text: string;
  readonly starts: number[];
  readonly ends: number[];
}

const anyEscape = /%[0-9A-Fa-f]{2}|\\(?:u[0-9A-Fa-f]{4}|[nrtbf"'/\\])|&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[a-z]{2,8});/g;

function unescapeOnce(source: string): Folded | null {
  const writing: Writing = { text: "", starts: [], ends: [] };
  let copied = 0;
  for (const { 0: escaped, index } of source.matchAll(anyEscape)) {
    if (index < copied) continue;
    const character = escaped.startsWith("%") ? readUtf8(source, index) : readEscape(escaped);
    if (character === null) continue;
    copy(writing, source, { start: copied, end: index });
    copied = index + (escaped.startsWith("%") ? 3 * utf8Length(character) : escaped.length);
    write(writing, character, { start: index, end: copied });
  }
  if (copied === 0) return null;
  copy(writing, source, { start: copied, end: source.length });
  return {
    text: writing.text,
    source,
    origin: { starts: Uint32Array.from(writing.starts), ends: Uint32Array.from(writing.ends) },
  };
}

function copy(writing: Writing, source: string, { start, end }: Range): void {
  writing.text += source.slice(start, end);
  for (let index = start; index < end; index += 1) {
    writing.starts.push(index);
    writing.ends.push(index + 1);
  }
}

function write(writing: Writing, character: string, { start, end }: Range): void {
  writing.text += character;
  for (let unit = 0; unit < character.length; unit += 1) {
    writing.starts.push(start);
    writing.ends.push(end);
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
