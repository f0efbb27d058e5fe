/** What a search would find that looks at everything: no pruning, no database. It takes the scores of single words from the index's own formula. */
import { documentSettings } from "../../src/contract/knowledge.ts";
import { indexDocument, type Posting } from "../../src/know/search/impacts.ts";
import { questionOf } from "../../src/know/search/question.ts";
import { filedVersion } from "../../test/setup/filed-version.ts";
import type { Cell, Corpus } from "./corpus.ts";

/** Scores of passages by `document:position`, of those that were found. */
export type Scores = ReadonlyMap<string, number>;

interface OfDocument extends Posting {
  /** The document's place in the corpus. */
  readonly document: number;
}

/** Scores every permitted passage by every word of the query. */
export function exactWords(corpus: Corpus, queries: readonly string[]): (query: string, cell: Cell) => Scores {
  const terms = new Set(queries.flatMap((query) => questionOf(query).terms));
  const postings = new Map<string, OfDocument[]>([...terms].map((term) => [term, []]));
  for (const [document, { id, labels, passages }] of corpus.documents.entries()) {
    const sections = passages.map((body, at) => ({ section: `Part ${Math.floor(at / 4) + 1}`, body }));
    const filed = filedVersion({ id, scopes: labels, passages: sections }).passages;
    const index = indexDocument({ title: id, passages: filed, settings: documentSettings });
    for (const [term, posting] of index.postings) postings.get(term)?.push({ document, ...posting });
  }
  return (query, cell) => score(corpus, { postings, terms: questionOf(query).terms, cell });
}

function score(
  corpus: Corpus,
  { postings, terms, cell }: { postings: ReadonlyMap<string, readonly OfDocument[]>; terms: readonly string[]; cell: Cell },
): Scores {
  const isSeen = (document: number) => document % cell.every === 0;
  const total = corpus.documents.reduce((sum, { passages }, at) => sum + (isSeen(at) ? passages.length : 0), 0);
  const places = new Map<string, { score: number; section: string; isOwn: boolean }>();
  const sections = new Map<string, number>();
  for (const term of terms) {
    const seen = (postings.get(term) ?? []).filter(({ document }) => isSeen(document));
    const weight = rarity(seen.flatMap(({ passages }) => passages).filter(({ isOwn }) => isOwn).length, total);
    for (const { document, passages, sections: ofDocument } of seen) {
      for (const { section, score: impact } of ofDocument) {
        const key = `${document} ${section}`;
        sections.set(key, (sections.get(key) ?? 0) + weight * impact);
      }
      for (const { position, section, score: impact, isOwn } of passages) {
        const key = `${corpus.documents[document]?.id}:${position}`;
        const place = places.get(key) ?? { score: 0, section: `${document} ${section}`, isOwn: false };
        places.set(key, { ...place, score: place.score + weight * impact, isOwn: place.isOwn || isOwn });
      }
    }
  }
  const found = [...places].filter(([, { isOwn }]) => isOwn);
  return new Map(found.map(([key, place]) => [key, place.score + (sections.get(place.section) ?? 0)]));
}

function rarity(passages: number, total: number): number {
  return passages === 0 ? 0 : Math.max(1, Math.round(1_000 * Math.log(1 + (total - passages + 0.5) / (passages + 0.5))));
}

/** Scores every permitted passage by the product of its vector with that of the query, added up as 64-bit floats in their order. */
export function exactVectors(corpus: Corpus, vectors: readonly Float32Array[]): (query: Float32Array, cell: Cell) => Scores {
  return (query, cell) => {
    const scores = new Map<string, number>();
    let at = 0;
    for (const [document, { id, passages }] of corpus.documents.entries())
      for (const position of passages.keys()) {
        const vector = vectors[at] ?? new Float32Array();
        at += 1;
        if (document % cell.every !== 0) continue;
        let sum = 0;
        for (const [place, value] of query.entries()) sum += value * (vector[place] ?? 0);
        scores.set(`${id}:${position + 1}`, sum);
      }
    return scores;
  };
}

/**
 * Which share of the ten best was found. Of equals at the last place any will do: one counts that scores as high as the tenth.
 * `slack` is what two orders of adding may differ by.
 */
export function recallOf(found: readonly string[], scores: Scores, slack = 0): number {
  const best = [...scores.values()].sort((a, b) => b - a).slice(0, 10);
  if (best.length === 0) return found.length === 0 ? 1 : 0;
  const bar = (best.at(-1) ?? 0) - slack;
  return new Set(found.slice(0, 10).filter((key) => (scores.get(key) ?? Number.NEGATIVE_INFINITY) >= bar)).size / best.length;
}
