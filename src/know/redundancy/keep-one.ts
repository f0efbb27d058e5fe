/** Of passages that say the same, one is enough: the rest only costs room in a prompt. */
import type { FindDuplicates } from "../../contract/retrieval.ts";
import { gramsOf } from "./grams.ts";
import { tokensOf } from "./tokens.ts";

/** A passage as it was found, best first in its list. */
export interface Candidate {
  readonly id: string;
  readonly text: string;
  /** Its document is the place where its subject is laid down. */
  readonly isAuthority: boolean;
  /** Its document is current and in force at the reference time. */
  readonly isCurrent: boolean;
}

/** What stays, and what was left out in favour of which. */
export interface Kept {
  readonly kept: readonly string[];
  readonly left: readonly { readonly id: string; readonly sameAs: string }[];
}

/** Two passages say the same where this much of the shorter one stands in the other, in parts per million of its runs of five words. */
const samePpm = 700_000;
const n = 5;

/**
 * Keeps of each group of duplicates the current authoritative one, else the current one, else the one that was found best; in the order of
 * the finding. What holds a word of the query that nothing kept holds stays, duplicate or not. `wordsOf` gives the words of a text
 * as the search compares them.
 */
export function keepOne(
  candidates: readonly Candidate[],
  { queryWords, wordsOf }: { queryWords: readonly string[]; wordsOf: (text: string) => ReadonlySet<string> },
): Kept {
  const shared = sharedRuns(candidates.map(({ text }) => text));
  const rank = candidates.map((one, place) => ({
    place,
    worth: (one.isCurrent ? 2 : 0) + (one.isCurrent && one.isAuthority ? 1 : 0),
  }));
  const inOrder = rank.toSorted((one, other) => other.worth - one.worth || one.place - other.place);
  const kept: number[] = [];
  const left: { place: number; sameAs: number }[] = [];
  for (const { place } of inOrder) {
    const sameAs = kept.find((other) => shared(place, other) >= samePpm);
    if (sameAs === undefined) kept.push(place);
    else left.push({ place, sameAs });
  }
  const words = candidates.map(({ text }) => wordsOf(text));
  for (const one of [...left].toSorted((a, b) => a.place - b.place)) {
    const isLast = queryWords.some((word) => words[one.place]?.has(word) && !kept.some((place) => words[place]?.has(word)));
    if (isLast) {
      kept.push(one.place);
      left.splice(left.indexOf(one), 1);
    }
  }
  const idOf = (place: number): string => candidates[place]?.id ?? "";
  return {
    kept: kept.toSorted((one, other) => one - other).map(idOf),
    left: left
      .toSorted((one, other) => one.place - other.place)
      .map(({ place, sameAs }) => ({ id: idOf(place), sameAs: idOf(sameAs) })),
  };
}

/** How much of the shorter of two texts stands in the other, in parts per million; short ones are compared whole. */
function sharedRuns(texts: readonly string[]): (one: number, other: number) => number {
  const tokens = tokensOf(
    texts.map((text, place) => ({ id: String(place), text })),
    "words",
  );
  const { first } = gramsOf(tokens, n);
  const sets = texts.map((_, place) => {
    const [start, end] = [tokens.starts[place] ?? 0, tokens.starts[place + 1] ?? 0];
    return new Set([...first.subarray(start, end)].filter((at) => at >= 0));
  });
  const words = texts.map((_, place) => tokens.ids.subarray(tokens.starts[place] ?? 0, tokens.starts[place + 1] ?? 0).join(" "));
  return (one, other) => {
    const [a, b] = [sets[one] ?? new Set<number>(), sets[other] ?? new Set<number>()];
    const [small, large] = a.size <= b.size ? [a, b] : [b, a];
    if (small.size === 0) return words[one] === words[other] && words[one] !== "" ? 1_000_000 : 0;
    let both = 0;
    for (const at of small) if (large.has(at)) both += 1;
    return Math.round((both * 1_000_000) / small.size);
  };
}

/** Makes the port that finds what is said twice among passages, with words as a search compares them: `termsOf` gives those of a text. */
export function duplicatesBy(termsOf: (text: string) => readonly string[]): FindDuplicates {
  return (passages, queries) =>
    keepOne(passages, { queryWords: queries.flatMap(termsOf), wordsOf: (text) => new Set(termsOf(text)) }).left;
}
