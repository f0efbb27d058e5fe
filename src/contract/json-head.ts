/** The head of a text: where it ends, in UTF-16 code units, and how many bytes of UTF-8 it takes as JSON, quotes left out. */
export interface JsonHead {
  readonly end: number;
  readonly bytes: number;
}

/** The longest head of a text that takes at most so many bytes as JSON; what is behind it is not looked at. */
export function jsonHead(text: string, most: number): JsonHead {
  let [end, bytes] = [0, 0];
  for (const character of text) {
    const more = jsonBytesOf(character.codePointAt(0) ?? 0);
    if (bytes + more > most) break;
    bytes += more;
    end += character.length;
  }
  return { end, bytes };
}

/** No code unit of a text takes more bytes in JSON than this. */
export const mostBytesOfUnit = 6;

/** Controls that JSON writes with one letter, then the quote and the backslash. */
const shortEscapes: readonly number[] = [8, 9, 10, 12, 13, 34, 92];

function jsonBytesOf(point: number): number {
  if (shortEscapes.includes(point)) return 2;
  if (point < 0x20) return mostBytesOfUnit;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  // A lone surrogate is written as an escape.
  if (point >= 0xd800 && point <= 0xdfff) return mostBytesOfUnit;
  return point < 0x10000 ? 3 : 4;
}
