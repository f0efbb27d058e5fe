import type { CollectionSettings, FiledPassage } from "../../src/contract/knowledge.ts";
import { analyse } from "../../src/know/search/analyse.ts";
import { questionOf } from "../../src/know/search/question.ts";

/** A document as the reference looks at it. */
export interface ReferenceDocument {
  readonly id: string;
  readonly title: string;
  readonly passages: readonly FiledPassage[];
}

/** A passage by `document:position`, with its score. */
export interface Ranked {
  readonly id: string;
  readonly score: number;
}

/**
 * Ranks passages by going through all of them with the formula as it is written down: BM25 of the passage, of its window and of its
 * section, each word by its rarity among the passages given. Shares nothing with the index but the analyser.
 */
export function rankAll(
  documents: readonly ReferenceDocument[],
  { query, settings }: { query: string; settings: CollectionSettings },
): readonly Ranked[] {
  const words = reader();
  const terms = questionOf(query).terms;
  const all = documents.flatMap((document) => document.passages.map((passage, at) => ({ document, passage, at })));
  const findingHeadings = (passage: FiledPassage) => (settings.headingsFind ? headingsOf(passage) : []);
  const held = new Map(all.map(({ passage }) => [passage, new Set([...words.of(passage), ...findingHeadings(passage)])]));
  const rarity = (term: string) => {
    const count = all.filter(({ passage }) => held.get(passage)?.has(term)).length;
    return Math.log(1 + (all.length - count + 0.5) / (count + 0.5));
  };
  const weights = new Map(terms.map((term) => [term, rarity(term)]));
  return all
    .filter(({ passage }) => terms.some((term) => held.get(passage)?.has(term)))
    .map(({ document, passage, at }) => {
      const score = [...weights].reduce(
        (sum, [term, weight]) => sum + weight * impactOf({ document, passage, at, term, settings, words }),
        0,
      );
      return { id: `${document.id}:${at + 1}`, score };
    })
    .sort((a, b) => b.score - a.score);
}

interface Impact {
  readonly words: Reader;
  readonly document: ReferenceDocument;
  readonly passage: FiledPassage;
  readonly at: number;
  readonly term: string;
  readonly settings: CollectionSettings;
}

function impactOf({ document: { title, passages }, passage, at, term, settings, words }: Impact): number {
  const { windowReach: reach, windowWeight, sectionWeight, passageTerms, sectionTerms } = settings;
  const window = passages.slice(Math.max(0, at - reach), at + reach + 1);
  const path = JSON.stringify(passage.sectionPath);
  let first = at;
  while (first > 0 && JSON.stringify(passages[first - 1]?.sectionPath) === path) first -= 1;
  let last = at;
  while (last < passages.length - 1 && JSON.stringify(passages[last + 1]?.sectionPath) === path) last += 1;
  const section = passages.slice(first, last + 1);
  const headings = analyse(`${title}\n${passage.sectionPath.join("\n")}`).flat();
  const own = bm25({ term, words: words.of(passage), length: words.length([passage]), usual: passageTerms, settings });
  const near = bm25({
    term,
    words: window.flatMap(words.of),
    length: words.length(window),
    usual: passageTerms * (2 * reach + 1),
    settings,
  });
  const around = bm25({
    term,
    words: [...headings, ...section.flatMap(words.of)],
    length: words.length(section),
    usual: sectionTerms,
    settings,
  });
  return own + windowWeight * near + sectionWeight * around;
}

interface Counted {
  readonly term: string;
  readonly words: readonly string[];
  readonly length: number;
  readonly usual: number;
  readonly settings: CollectionSettings;
}

function bm25({ term, words, length, usual, settings: { k1, b } }: Counted): number {
  const count = words.filter((word) => word === term).length;
  return count === 0 ? 0 : (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / usual));
}

function headingsOf({ sectionPath }: FiledPassage): readonly string[] {
  return analyse(sectionPath.join("\n")).flat();
}

/** Words and lengths of passages, each read once. */
function reader(): Reader {
  const read = new Map<FiledPassage, { words: readonly string[]; length: number }>();
  const of = (passage: FiledPassage) => {
    const known = read.get(passage) ?? readPassage(passage);
    read.set(passage, known);
    return known;
  };
  return {
    of: (passage) => of(passage).words,
    length: (passages) => passages.reduce((sum, passage) => sum + of(passage).length, 0),
  };
}

interface Reader {
  readonly of: (passage: FiledPassage) => readonly string[];
  readonly length: (passages: readonly FiledPassage[]) => number;
}

function readPassage({ contextLine = "", text }: FiledPassage) {
  const tokens = analyse(`${contextLine}\n${text}`);
  return { words: tokens.flat(), length: tokens.length };
}
