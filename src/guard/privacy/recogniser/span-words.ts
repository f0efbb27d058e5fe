import type { Span } from "./span.ts";
import { Break, plainWord, type Tokens } from "./tokens.ts";
import { bitOf, type Lexicon } from "./word-reading.ts";

/** One word or number of a span, with what is known of it. */
export interface SpanWord {
  readonly text: string;
  readonly plain: string;
  /** Starts with a capital, and goes on without another: `Anna`, not `HTTP`, not `toBe`. */
  readonly isCapitalised: boolean;
  /** Two capitals or more, and nothing else. */
  readonly isUpper: boolean;
  readonly hasDigit: boolean;
  /** Stands in a list of the most frequent words of some language, or is the name of a month or a day. */
  readonly isFrequent: boolean;
  /** Stands in a longer list of English words. */
  readonly isOrdinary: boolean;
  /** Stands in no list of words at all. */
  readonly isUnknown: boolean;
  /** Stands in a list of given names or surnames. */
  readonly isName: boolean;
  /** Stands in any list of names. */
  readonly isMaybeName: boolean;
  /** Bits of the lists of `cue-words.ts`. */
  readonly lists: number;
}

/** The bits of a word's lists that matter here, in the order of `cue-words.ts`. */
export const wordList = { title: 1, companyForm: 2, street: 4, unit: 8, calendar: 16 } as const;

/** The words and numbers of a span, without marks. */
export function wordsOf(tokens: Tokens, { from, to }: Span, lexicon: Lexicon): readonly SpanWord[] {
  const words: SpanWord[] = [];
  for (let at = from; at < to; at += 1) {
    const text = wordAt(tokens, at);
    if (/^[\p{L}\p{N}]/u.test(text)) words.push(readWord(text, lexicon));
  }
  return words;
}

function readWord(text: string, lexicon: Lexicon): SpanWord {
  const plain = plainWord(text);
  const known = lexicon.classOf(plain);
  const lists = lexicon.lists.get(plain) ?? 0;
  const isIn = (...names: readonly Parameters<typeof bitOf>[0][]) => names.some((name) => (known & bitOf(name)) !== 0);
  return {
    ...{ text, plain, lists },
    isCapitalised: /^\p{Lu}[^\p{Lu}]*$/u.test(text) && text.length > 1,
    isUpper: /^\p{Lu}{2,}$/u.test(text),
    hasDigit: /\p{N}/u.test(text),
    isFrequent: isIn("common", "foreign") || (lists & wordList.calendar) !== 0,
    isOrdinary: isIn("ordinary"),
    isUnknown: !isIn("common", "foreign", "ordinary", "cue") && lists === 0,
    isName: isIn("given", "family"),
    isMaybeName: isIn("given", "family", "name"),
  };
}

/** Up to `most` words that stand before a token in the same paragraph, the nearest first; lower case, without accents. */
export function wordsBefore(tokens: Tokens, at: number, most: number): readonly string[] {
  const words: string[] = [];
  // A few marks may stand between, as in `"name":"Anna"`.
  for (let place = at - 1; place >= 0 && place >= at - 4 * most && words.length < most; place -= 1) {
    if (tokens.breaks[place + 1] === Break.paragraph) break;
    const word = wordAt(tokens, place);
    if (/^[\p{L}\p{N}]/u.test(word)) words.push(plainWord(word));
  }
  return words;
}

/** Whether a token begins a sentence, a line, or something in quotes. */
export function isAtStart({ text, starts, ends, breaks }: Tokens, at: number): boolean {
  if (at === 0 || (breaks[at] ?? 0) >= Break.line) return true;
  return /^[^\p{L}\p{N},;&)\]'’-]/u.test(text.slice(starts[at - 1], ends[at - 1]));
}

/** Whether a word is part of a longer sign of code, such as `atlas-security` or `a.b`. */
export function isGlued({ text, starts, ends }: Tokens, { from, to }: Span): boolean {
  const [first, last] = [starts[from] ?? 0, ends[to - 1] ?? 0];
  return (
    /[-_./\\]$/u.test(text.slice(Math.max(0, first - 1), first)) ||
    /^(?:[-_/\\(=]|\.[\p{L}\p{N}])/u.test(text.slice(last, last + 2))
  );
}

/** A token as it is written; empty before the first and after the last. */
export function wordAt({ text, starts, ends }: Tokens, at: number): string {
  return text.slice(starts[at] ?? text.length, ends[at] ?? text.length);
}
