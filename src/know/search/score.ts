// Adds up what postings say of the passages that hold a word of the query. Pure.
import { readRecords } from "./posting-bytes.ts";

/** A passage that was found, with its score: whole numbers, so that the order of adding changes nothing. */
export interface ScoredPassage {
  readonly document: number;
  readonly position: number;
  readonly score: number;
}

/** Scores of passages while they are added up. */
export interface Scores {
  /** Adds what a term of this weight says of the documents of these records. Own passages are found by it. */
  readonly find: (records: Uint8Array, weight: number) => void;
  /** Adds what a term says of `passages`, and finds none. */
  readonly order: (records: Uint8Array, weight: number) => void;
  /** What was found so far: best first; of equals what was filed first. With `most` no more than so many and the equals of the last one. */
  readonly ranked: (most?: number) => readonly ScoredPassage[];
}

/** Places of a document beside each other: more than a document has passages. */
const placesOfDocument = 32_768;

/** Begins with nothing found. */
export function openScores(): Scores {
  const tally: Tally = {
    ordinals: new Map(),
    documents: [],
    places: new Map(),
    scores: [],
    sections: [],
    keys: [],
    ofSection: new Map(),
  };
  return {
    find: (records, weight) => add(tally, { records, weight, isFinding: true }),
    order: (records, weight) => add(tally, { records, weight, isFinding: false }),
    ranked: (most) => rank(tally, most),
  };
}

interface Tally {
  /** Documents in the order in which they came, and the place of each in it. */
  readonly ordinals: Map<number, number>;
  readonly documents: number[];
  /** By document and position, the index into the lists below. */
  readonly places: Map<number, number>;
  readonly keys: number[];
  readonly scores: number[];
  /** The section of a passage that was found; -1 of one that was not. */
  readonly sections: number[];
  /** Scores by document and section. */
  readonly ofSection: Map<number, number>;
}

interface Adding {
  readonly records: Uint8Array;
  readonly weight: number;
  readonly isFinding: boolean;
}

function add(tally: Tally, { records, weight, isFinding }: Adding): void {
  const { places, keys, scores, sections, ofSection } = tally;
  let base = 0;
  readRecords(records, {
    document: (document) => {
      const ordinal = isFinding ? ordinalOf(tally, document) : (tally.ordinals.get(document) ?? -1);
      base = ordinal * placesOfDocument;
      return ordinal !== -1;
    },
    section: (section, score) => {
      const key = base + section;
      ofSection.set(key, (ofSection.get(key) ?? 0) + weight * score);
    },
    passage: (position, section, score) => {
      const key = base + position;
      const at = places.get(key);
      if (at !== undefined) {
        scores[at] = (scores[at] ?? 0) + weight * score;
        if (isFinding && section !== -1) sections[at] = section;
        return;
      }
      if (!isFinding) return;
      places.set(key, keys.length);
      keys.push(key);
      scores.push(weight * score);
      sections.push(section);
    },
  });
}

function ordinalOf({ ordinals, documents }: Tally, document: number): number {
  const kept = ordinals.get(document);
  if (kept !== undefined) return kept;
  ordinals.set(document, documents.length);
  documents.push(document);
  return documents.length - 1;
}

function rank(
  { documents, keys, scores, sections, ofSection }: Tally,
  most = Number.POSITIVE_INFINITY,
): readonly ScoredPassage[] {
  const sums = new Float64Array(keys.length).fill(Number.NEGATIVE_INFINITY);
  for (const [at, section] of sections.entries()) {
    if (section === -1) continue;
    const ordinal = Math.floor((keys[at] ?? 0) / placesOfDocument);
    sums[at] = (scores[at] ?? 0) + (ofSection.get(ordinal * placesOfDocument + section) ?? 0);
  }
  const bar = barOf(sums, most);
  const found: ScoredPassage[] = [];
  for (const [at, score] of sums.entries()) {
    if (sections[at] === -1 || score < bar) continue;
    const key = keys[at] ?? 0;
    found.push({ document: documents[Math.floor(key / placesOfDocument)] ?? 0, position: key % placesOfDocument, score });
  }
  return found.sort((a, b) => b.score - a.score || a.document - b.document || a.position - b.position);
}

/** What the last of the best scores. Sorting numbers alone is much quicker than sorting what they belong to. */
function barOf(sums: Float64Array, most: number): number {
  if (sums.length <= most) return Number.NEGATIVE_INFINITY;
  return sums.toSorted()[sums.length - most] ?? Number.NEGATIVE_INFINITY;
}
