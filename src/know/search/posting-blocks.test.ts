import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTo, type Block, blocksOf, mostOfBlock, type TermRecord, takeFrom } from "./posting-blocks.ts";
import { packRecord, splitRecords } from "./posting-bytes.ts";

/** A record whose length is told by how many passages it speaks of. */
function recordOf(document: number, passages: number): TermRecord {
  const entries = Array.from({ length: passages }, (_, at) => ({ position: at + 1, section: 0, score: 1, isOwn: true }));
  const record = packRecord(document, { sections: [{ section: 0, score: 1 }], passages: entries });
  return { term: "oak", audience: 1, document, record };
}

const drawn = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 900 })), {
  selector: ([document]) => document,
  minLength: 1,
  maxLength: 40,
});

function documentsOf(blocks: readonly Block[]): readonly number[] {
  return blocks.flatMap(({ records }) => splitRecords(records).map(({ document }) => document));
}

function expectInOrder(blocks: readonly Block[]): void {
  for (const [at, { first, records }] of blocks.entries()) {
    const own = splitRecords(records).map(({ document }) => document);
    expect(own).toEqual(own.toSorted((a, b) => a - b));
    expect(own[0]).toBeGreaterThanOrEqual(first);
    expect(own.at(-1)).toBeLessThan(blocks[at + 1]?.first ?? Number.POSITIVE_INFINITY);
    if (own.length > 1) expect(records.length).toBeLessThanOrEqual(mostOfBlock);
  }
}

describe("blocks of records", () => {
  it("hold each document once, in order, and are short unless they hold one alone", () => {
    fc.assert(
      fc.property(drawn, (documents) => {
        const inOrder = documents.toSorted(([a], [b]) => a - b);
        const blocks = blocksOf(inOrder.map(([document, passages]) => recordOf(document, passages)));
        expectInOrder(blocks);
        expect(documentsOf(blocks)).toEqual(inOrder.map(([document]) => document));
        expect(blocks.filter(({ isFirst }) => isFirst)).toHaveLength(1);
      }),
    );
  });

  it("keep terms and audiences apart", () => {
    const record = recordOf(1, 1);
    const blocks = blocksOf([record, { ...record, term: "elm" }, { ...record, audience: 2 }, recordOf(2, 1)]);
    expect(blocks.map(({ term, audience, isFirst }) => ({ term, audience, isFirst }))).toEqual([
      { term: "oak", audience: 1, isFirst: true },
      { term: "elm", audience: 1, isFirst: true },
      { term: "oak", audience: 2, isFirst: true },
    ]);
  });

  it("take in a document at its place, and give it out again", () => {
    fc.assert(
      fc.property(drawn, fc.integer({ min: 0, max: 39 }), (documents, at) => {
        const all = documents.map(([document, passages]) => recordOf(document, passages));
        const first = all[at % all.length];
        if (first === undefined) throw new Error("one was drawn");
        const others = all.filter((one) => one !== first);
        const inOrder = others.toSorted((a, b) => a.document - b.document);
        for (const block of blocksOf(inOrder)) {
          const more = addTo(block, first);
          expectInOrder(more);
          expect(documentsOf(more)).toEqual([...documentsOf([block]), first.document].toSorted((a, b) => a - b));
          const out = more.map((one) => takeFrom(one, new Set([first.document])));
          expect(out.flatMap(({ taken }) => taken.map(({ document }) => document))).toEqual([first.document]);
          expect(documentsOf(out.flatMap(({ left }) => left ?? []))).toEqual(documentsOf([block]));
        }
      }),
    );
  });
});
