import fc from "fast-check";
import { expect, it } from "vitest";
import { documentSettings } from "../../contract/knowledge.ts";
import { type IndexedDocument, indexDocument, type Posting } from "./impacts.ts";
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
      const indexed = texts.map((passages) =>
        indexDocument({
          ...{ title: "none", settings: documentSettings },
          passages: passages.map(({ text, section }) => ({
            ...{ text: text.join(" "), sectionPath: [section] },
            page: null,
            from: 0,
            to: 0,
          })),
        }),
      );
      const scores = openScores();
      const sums = new Map<string, Sum>();
      for (const [kind, terms] of [
        ["find", finding],
        ["order", ordering],
      ] as const)
        for (const [term, weight] of Object.entries(terms)) {
          scores[kind](Buffer.concat(indexed.flatMap(({ postings }, at) => recordOf(at + 1, postings.get(term)))), weight);
          for (const [at, document] of indexed.entries()) addPlain(sums, { number: at + 1, document, term, weight, kind });
        }
      const wanted = [...sums].filter(([, { found }]) => found).map(([key, { score }]) => ({ key, score }));
      const ranked = scores.ranked().map(({ document, position, score }) => ({ key: `${document} ${position}`, score }));
      expect(ranked.toSorted(byKey)).toEqual(wanted.toSorted(byKey));
      expect(ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score).toSorted((a, b) => b - a));
    }),
  );
});

interface Sum {
  found: boolean;
  score: number;
}

function recordOf(number: number, posting: Posting | undefined): readonly Uint8Array[] {
  return posting === undefined ? [] : [packRecord(number, posting)];
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
