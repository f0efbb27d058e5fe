// Adds up what postings say of the passages that hold a word of the query. Pure.
import { type Numbering, openNumbering } from "./numbering.ts";
import { documentAt, placeOf } from "./place.ts";
import { readRecords } from "./posting-bytes.ts";

/** A passage that was found, with its score: whole numbers, so that the order of adding changes nothing. */
export interface ScoredPassage {
  readonly place: number;
  readonly document: number;
  readonly score: number;
}

/** Scores of passages while they are added up. */
export interface Scores {
  /**
   * Adds what a term of this weight says of the documents of these records: of all, or only of those in `near`. Own passages are found
   * by it.
   */
  readonly find: (records: Uint8Array, weight: number, near?: ReadonlySet<number>) => void;
  /** Adds what a term says of passages that it was said something of before, and finds none. */
  readonly order: (records: Uint8Array, weight: number, near?: ReadonlySet<number>) => void;
  /** What was found so far: best first; of equals what was filed first. With `most` no more than so many and the equals of the last one. */
  readonly ranked: (most?: number) => readonly ScoredPassage[];
  /** Documents of which a passage may have a score of `bar` or more, found or not; no document has that nothing was said of. */
  readonly near: (bar: number) => ReadonlySet<number>;
}

/** Begins with nothing found. */
export function openScores(): Scores {
  const documents = openNumbering();
  const tally: Tally = { documents, passages: openNumbering(), scores: [], found: [], parents: openNumbering(), ofParent: [] };
  return {
    find: (records, weight, near) => add(tally, { records, weight, near, isFinding: true }),
    order: (records, weight, near) => add(tally, { records, weight, near, isFinding: false }),
    ranked: (most) => rank(tally, most),
    near: (bar) => near(tally, bar),
  };
}

interface Tally {
  /** By number. */
  readonly documents: Numbering;
  /** By place; their scores, and of each that was found which of `parents` it stands in, -1 of one that was not. */
  readonly passages: Numbering;
  readonly scores: number[];
  readonly found: number[];
  /** Sections by place, and their scores. */
  readonly parents: Numbering;
  readonly ofParent: number[];
}

interface Adding {
  readonly records: Uint8Array;
  readonly weight: number;
  readonly near: ReadonlySet<number> | undefined;
  readonly isFinding: boolean;
}

function add(tally: Tally, { records, weight, near, isFinding }: Adding): void {
  const { documents, passages, scores, found, parents, ofParent } = tally;
  let base = 0;
  let parent = -1;
  readRecords(records, {
    document: (document) => {
      base = placeOf(document, 0);
      if (near?.has(document) === false) return false;
      return isFinding ? documents.place(document) !== -1 : documents.find(document) !== -1;
    },
    section: (section, score) => {
      parent = parents.place(base + section);
      ofParent[parent] = (ofParent[parent] ?? 0) + weight * score;
    },
    passage: (position, section, score) => {
      const at = isFinding ? passages.place(base + position) : passages.find(base + position);
      if (at === -1) return;
      scores[at] = (scores[at] ?? 0) + weight * score;
      if (isFinding && section !== -1) found[at] = parent;
      else found[at] ??= -1;
    },
  });
}

function rank({ passages, scores, found, ofParent }: Tally, most = Number.POSITIVE_INFINITY): readonly ScoredPassage[] {
  const sums = new Float64Array(scores.length).fill(Number.NEGATIVE_INFINITY);
  for (let at = 0; at < sums.length; at += 1) {
    const parent = found[at] ?? -1;
    if (parent !== -1) sums[at] = (scores[at] ?? 0) + (ofParent[parent] ?? 0);
  }
  const bar = barOf(sums, most);
  const best: ScoredPassage[] = [];
  for (let at = 0; at < sums.length; at += 1) {
    const score = sums[at] ?? 0;
    if (found[at] === -1 || score < bar) continue;
    const place = passages.at(at);
    best.push({ place, document: documentAt(place), score });
  }
  return best.sort((a, b) => b.score - a.score || a.place - b.place);
}

/** What the last of the best `most` scores. They are kept as a heap, its least one at the top: few of many scores ever come into it. */
function barOf(sums: Float64Array, most: number): number {
  if (sums.length <= most) return Number.NEGATIVE_INFINITY;
  const heap = sums.slice(0, most).sort();
  for (let at = most; at < sums.length; at += 1) {
    const score = sums[at] ?? Number.NEGATIVE_INFINITY;
    if (score > (heap[0] ?? 0)) replaceLeast(heap, score);
  }
  return heap[0] ?? Number.NEGATIVE_INFINITY;
}

function replaceLeast(heap: Float64Array, score: number): void {
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    const least = (heap[child + 1] ?? Number.POSITIVE_INFINITY) < (heap[child] ?? 0) ? child + 1 : child;
    if ((heap[least] ?? 0) >= score) break;
    heap[at] = heap[least] ?? 0;
    at = least;
  }
  heap[at] = score;
}

/** The best passage of a document and its best section, be they in one or not. */
function near({ documents, passages, scores, parents, ofParent }: Tally, bar: number): ReadonlySet<number> {
  const best = new Float64Array(documents.size());
  const bestParent = new Float64Array(documents.size());
  const raise = (of: Float64Array, place: number, score = 0): void => {
    const at = documents.find(documentAt(place));
    if (score > (of[at] ?? 0)) of[at] = score;
  };
  for (let at = 0; at < scores.length; at += 1) raise(best, passages.at(at), scores[at]);
  for (let at = 0; at < ofParent.length; at += 1) raise(bestParent, parents.at(at), ofParent[at]);
  const found = new Set<number>();
  for (let at = 0; at < best.length; at += 1) if ((best[at] ?? 0) + (bestParent[at] ?? 0) >= bar) found.add(documents.at(at));
  return found;
}
