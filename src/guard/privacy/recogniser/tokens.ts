/** The tokens of a text: words, numbers, marks. Arrays run side by side, one place for each token. */
export interface Tokens {
  readonly text: string;
  readonly count: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** What stands before a token: see `Break`. */
  readonly breaks: Uint8Array;
}

/** What stands before a token: nothing, a space, the end of a line, an empty line. */
export const Break = { none: 0, space: 1, line: 2, paragraph: 3 } as const;

// A genitive is a token of its own, so that it can stay outside of a name. A run of one mark is one token: hostile runs stay cheap.
const tokenPattern =
  /['’][sS](?![\p{L}\p{M}\p{N}])|\p{N}+(?:[.,]\p{N}+)+(?![\p{L}\p{M}])|[\p{L}\p{M}\p{N}]+(?:['’](?![sS](?![\p{L}\p{M}\p{N}]))[\p{L}\p{M}]+)*|([^\p{L}\p{M}\p{N}\s])\1*/gu;

/** Cuts a text into tokens in linear time. Offsets are in UTF-16 units of the text. */
export function tokensOf(text: string): Tokens {
  const starts: number[] = [];
  const ends: number[] = [];
  const breaks: number[] = [];
  let before = 0;
  for (const { 0: token, index } of text.matchAll(tokenPattern)) {
    starts.push(index);
    ends.push(index + token.length);
    breaks.push(breakBetween(text, before, index));
    before = index + token.length;
  }
  return {
    ...{ text, count: starts.length },
    ...{ starts: Int32Array.from(starts), ends: Int32Array.from(ends), breaks: Uint8Array.from(breaks) },
  };
}

function breakBetween(text: string, from: number, to: number): number {
  if (from === 0) return Break.paragraph;
  if (from === to) return Break.none;
  let lines = 0;
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === 10) lines += 1;
  return lines === 0 ? Break.space : Math.min(Break.line + lines - 1, Break.paragraph);
}

/** A word as lists hold it: lower case, without accents. */
export function plainWord(word: string): string {
  const lower = word.toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
  return /^[\x00-\x7f]*$/.test(lower) ? lower : lower.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");
}
