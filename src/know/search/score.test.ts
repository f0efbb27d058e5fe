import fc from "fast-check";
import { expect, it } from "vitest";
import { documentSettings } from "../../contract/knowledge.ts";
import { type IndexedDocument, indexDocument } from "./impacts.ts";
import { documentAt, positionAt } from "./place.ts";
import { packRecord } from "./posting-bytes.ts";
import { openScores } from "./score.ts";

const words = ["oak", "elm", "fir", "ash"] as const;
const passage = fc.record({
  text: fc.array(fc.constantFrom(...words), { maxLength: 6 }),
  section: fc.constantFrom("A", "B", "oak"),
});
const documents = fc.array(fc.array(passage, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });
const weights = fc.dictionary(fc.constantFrom(...words), fc.integer({ min: 1, max: 9_000 }));

it("sums passage, window and section of each word, and finds a passage by the words of the first kind alone", () => {
  fc.assert(
    fc.property(documents, weights, weights, (texts, finding, ordering) => {
      const indexed = texts.map(index);
      const scores = openScores();
      const sums = new Map<string, Sum>();
      for (const [kind, terms] of [
        ["find", finding],
        ["order", ordering],
      ] as const)
        for (const [term, weight] of Object.entries(terms)) {
          scores[kind](recordsOf(indexed, term), weight);
          for (const [at, document] of indexed.entries()) addPlain(sums, { number: at + 1, document, term, weight, kind });
        }
      const wanted = [...sums].filter(([, { found }]) => found).map(([key, { score }]) => ({ key, score }));
      const ranked = scores.ranked().map(({ place, score }) => ({ key: `${documentAt(place)} ${positionAt(place)}`, score }));
      expect(ranked.toSorted(byKey)).toEqual(wanted.toSorted(byKey));
      expect(ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score).toSorted((a, b) => b - a));
    }),
  );
});

it("tells every document of which a passage may have a score, and none that nothing was said of", () => {
  fc.assert(
    fc.property(documents, weights, fc.integer({ min: 1, max: 30_000_000 }), (texts, finding, bar) => {
      const indexed = texts.map(index);
      const scores = openScores();
      const sums = new Map<string, Sum>();
      for (const [term, weight] of Object.entries(finding)) {
        scores.find(recordsOf(indexed, term), weight);
        for (const [at, document] of indexed.entries()) addPlain(sums, { number: at + 1, document, term, weight, kind: "find" });
      }
      const near = scores.near(bar);
      // The best of a document is the sum of a passage with its own section, found or not.
      for (const [key, { score }] of sums) if (score >= bar) expect(near).toContain(Number(key.split(" ")[0]));
      const isSaid = (number: number) => Object.keys(finding).some((term) => indexed[number - 1]?.postings.has(term));
      for (const number of near) expect(isSaid(number)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it("adds to documents that are near alone where it is told them", () => {
  const indexed = [["oak"], ["oak", "elm"]].map((words) => index(words.map((word) => ({ text: [word, "fir"], section: "A" }))));
  const scores = openScores();
  scores.find(recordsOf(indexed, "fir"), 1_000, new Set([2]));
  expect(scores.ranked().map(({ document }) => document)).toEqual([2, 2]);
  scores.order(recordsOf(indexed, "oak"), 1_000, new Set([1]));
  const before = scores.ranked();
  scores.order(recordsOf(indexed, "oak"), 1_000);
  expect(scores.ranked()).not.toEqual(before);
});

interface Sum {
  found: boolean;
  score: number;
}

function index(passages: readonly { readonly text: readonly string[]; readonly section: string }[]): IndexedDocument {
  return indexDocument({
    ...{ title: "none", settings: documentSettings },
    passages: passages.map(({ text, section }) => ({
      ...{ text: text.join(" "), sectionPath: [section] },
      ...{ page: null, from: 0, to: 0 },
    })),
  });
}

/** What a term says of documents that are numbered from 1 on. */
function recordsOf(indexed: readonly IndexedDocument[], term: string): Uint8Array {
  return Buffer.concat(
    indexed.flatMap(({ postings }, at) => {
      const posting = postings.get(term);
      return posting === undefined ? [] : [packRecord(at + 1, posting)];
    }),
  );
}

/** The sum as it is told, passage by passage. */
function addPlain(
  sums: Map<string, Sum>,
  {
    number,
    document: { postings, places },
    term,
    weight,
    kind,
  }: { number: number; document: IndexedDocument; term: string; weight: number; kind: "find" | "order" },
): void {
  const { passages = [], sections = [] } = postings.get(term) ?? {};
  for (const [place, { section }] of places.entries()) {
    const own = passages.find(({ position }) => position === place + 1);
    const above = sections.find((one) => one.section === section)?.score ?? 0;
    const key = `${number} ${place + 1}`;
    const before = sums.get(key) ?? { found: false, score: 0 };
    const found = before.found || (kind === "find" && own?.isOwn === true);
    sums.set(key, { found, score: before.score + weight * ((own?.score ?? 0) + above) });
  }
}

function byKey(one: { readonly key: string }, other: { readonly key: string }): number {
  return one.key < other.key ? -1 : 1;
}
