import { analyse } from "./analyse.ts";

/** Words of a query that count, first ones first; a longer query is searched by these. */
const mostWords = 128;

/** What a query asks for: its words, each with its terms, and the terms of all of them. */
export interface Question {
  readonly words: readonly (readonly string[])[];
  readonly terms: readonly string[];
  /** How many words came after those that are searched for. */
  readonly leftOut: number;
}

/** Takes a query apart, each word once however often it is said. */
export function questionOf(query: string): Question {
  const words = [...new Map(analyse(query).map((terms) => [terms[0], terms])).values()];
  const searched = words.slice(0, mostWords);
  return { words: searched, terms: [...new Set(searched.flat())], leftOut: words.length - searched.length };
}
