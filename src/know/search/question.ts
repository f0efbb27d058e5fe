import { analyse } from "./analyse.ts";

/** Words that evidence is measured by: the first ones of a query that are no repetition. */
const mostWeighed = 128;
/** Words of a query that are searched for, repetitions counted; those behind them are left out. */
const mostSearched = 512;
/** Up to so many words a query is searched for as one; a longer one in parts of about `wordsOfPart`. */
const wordsOfOne = 32;
const wordsOfPart = 16;

/** What a query asks for. */
export interface Question {
  /** Its words, each once, with its terms; of a very long query the first ones. */
  readonly words: readonly (readonly string[])[];
  /** The terms of everything that is searched for, each once. */
  readonly terms: readonly string[];
  /** What is searched for by itself: the terms of all of it, or of each part of a query that is longer than a question. */
  readonly parts: readonly (readonly string[])[];
  /** How many words came after those that are searched for. */
  readonly leftOut: number;
}

type Words = readonly (readonly string[])[];

/**
 * Takes a query apart. A long one, such as a whole mail, is about several things one after another: neighbouring sentences are a part of it,
 * and each part is searched for by itself.
 */
export function questionOf(query: string): Question {
  const sentences = query.split(/(?<=[.!?])\s+|\n+/).map(analyse);
  const all = sentences.flat();
  const parts = all.length <= wordsOfOne ? [all] : partsOf(sentences);
  const searched = parts.flat().slice(0, mostSearched);
  const terms = new Set(searched.flat());
  return {
    words: distinct(all).slice(0, mostWeighed),
    terms: [...terms],
    parts: upTo(parts, mostSearched).map((words) => [...new Set(words.flat())]),
    leftOut: distinct(all).filter(([whole = ""]) => !terms.has(whole)).length,
  };
}

/** Neighbouring sentences together, as long as they are short; a long one in pieces. */
function partsOf(sentences: readonly Words[]): readonly Words[] {
  const parts: (readonly string[])[][] = [];
  for (const piece of sentences.flatMap(piecesOf)) {
    const last = parts.at(-1);
    if (last === undefined || last.length + piece.length > wordsOfPart) parts.push([...piece]);
    else last.push(...piece);
  }
  return parts;
}

function piecesOf(sentence: Words): readonly Words[] {
  if (sentence.length <= wordsOfOne) return sentence.length === 0 ? [] : [sentence];
  const pieces = Math.ceil(sentence.length / wordsOfPart);
  return Array.from({ length: pieces }, (_, at) => sentence.slice(at * wordsOfPart, (at + 1) * wordsOfPart));
}

/** The first parts, which are so many words together. */
function upTo(parts: readonly Words[], most: number): readonly Words[] {
  let left = most;
  return parts.flatMap((part) => {
    const taken = part.slice(0, Math.max(0, left));
    left -= part.length;
    return taken.length === 0 ? [] : [taken];
  });
}

/** By their first terms. */
function distinct(words: Words): Words {
  return [...new Map(words.map((terms) => [terms[0], terms])).values()];
}
