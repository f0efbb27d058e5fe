import type { Tokenizer } from "../inside/word-pieces.ts";

/** A word of a text with the numbers of its pieces. Offsets are in UTF-16 units. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly number[];
}

/** Longest word that is handed to a tokenizer; the rest of a longer one is a word of its own. */
const longest = 60;

/** Cuts a text into words and marks, so that what is said of pieces can be laid back on the text. A word has one piece at least. */
export function wordsOf(text: string, tokenizer: Tokenizer): readonly Word[] {
  const words: Word[] = [];
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]{1,60}|[^\s\p{L}\p{M}\p{N}]/gu)) {
    const ids = tokenizer.encode(word).ids.slice(1, -1);
    // What the tokenizer drops, such as a control character, has no label.
    if (ids.length > 0) words.push({ start: index, end: index + word.length, ids: ids.slice(0, longest) });
  }
  return words;
}

/** Something that labels tell of, with its type as the model names it. */
export interface LabelSpan {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Makes spans of labels in the forms `B-X`, `I-X`, `E-X`, `S-X` or `X`: neighbours of one type are one, unless the second begins anew. */
export function labelSpans(words: readonly Word[], labels: readonly string[]): readonly LabelSpan[] {
  const spans: LabelSpan[] = [];
  let before = "O";
  for (const [at, { start, end }] of words.entries()) {
    const label = labels[at] ?? "O";
    const [, place = "I", type = "O"] = /^(?:([BIESU])-)?(.+)$/.exec(label) ?? [];
    const last = spans.at(-1);
    if (type !== "O" && type === before && (place === "I" || place === "E") && last !== undefined)
      spans.splice(-1, 1, { ...last, end });
    else if (type !== "O") spans.push({ type, start, end });
    before = type;
  }
  return spans;
}
