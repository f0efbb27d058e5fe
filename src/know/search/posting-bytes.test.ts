import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Posting } from "./impacts.ts";
import { countOwn, packRecord, readRecords, splitRecords } from "./posting-bytes.ts";

const score = fc.integer({ min: 0, max: 32_767 });

/** A posting of sections of some passages each; the term stands in some of these, in the window of others, and not near the rest. */
const postings: fc.Arbitrary<Posting> = fc
  .array(
    fc.record({
      score,
      gap: fc.integer({ min: 0, max: 300 }),
      passages: fc.array(fc.record({ score, isOwn: fc.boolean(), isNear: fc.boolean(), gap: fc.integer({ min: 1, max: 400 }) }), {
        maxLength: 6,
      }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drawn) => {
    let section = -1;
    let position = 0;
    const made: { passages: Posting["passages"][number][]; sections: Posting["sections"][number][] } = {
      passages: [],
      sections: [],
    };
    for (const one of drawn) {
      section += one.gap + 1;
      const isHeld = one.passages.some(({ isOwn }) => isOwn) || made.sections.length === 0;
      if (isHeld) made.sections.push({ section, score: one.score });
      for (const { gap, isNear, isOwn, score: own } of one.passages) {
        position += gap;
        if (isNear || isOwn) made.passages.push({ position, section, score: own, isOwn });
      }
    }
    return made;
  });
const numbered = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 2 ** 31 - 1 }), postings), {
  selector: ([number]) => number,
  maxLength: 5,
});

function readAll(bytes: Uint8Array, isWanted: (document: number) => boolean = () => true) {
  const read: (readonly [string, ...number[]])[] = [];
  readRecords(bytes, {
    document: (document) => {
      if (isWanted(document)) read.push(["document", document]);
      return isWanted(document);
    },
    section: (section, own) => read.push(["section", section, own]),
    passage: (position, section, own) => read.push(["passage", position, section, own]),
  });
  return read;
}

describe("records", () => {
  it("give back what was packed", () => {
    fc.assert(
      fc.property(numbered, (documents) => {
        const bytes = Buffer.concat(documents.map(([number, posting]) => packRecord(number, posting)));
        const read = readAll(bytes);
        expect(read.filter(([kind]) => kind === "document")).toEqual(documents.map(([number]) => ["document", number]));
        expect(read.filter(([kind]) => kind === "section")).toEqual(
          documents.flatMap(([, { sections }]) => sections.map((one) => ["section", one.section, one.score])),
        );
        expect(read.filter(([kind]) => kind === "passage")).toEqual(
          documents.flatMap(([, { passages }]) =>
            passages.map((one) => ["passage", one.position, one.isOwn ? one.section : -1, one.score]),
          ),
        );
        const own = documents.flatMap(([, { passages }]) => passages.filter(({ isOwn }) => isOwn));
        expect(countOwn(bytes)).toBe(own.length);
      }),
    );
  });

  it("are read, and cut apart, one without the others", () => {
    fc.assert(
      fc.property(numbered, (documents) => {
        const bytes = Buffer.concat(documents.map(([number, posting]) => packRecord(number, posting)));
        const [wanted] = documents.at(-1) ?? [0];
        const alone = Buffer.concat(
          documents.filter(([number]) => number === wanted).map(([number, posting]) => packRecord(number, posting)),
        );
        expect(readAll(bytes, (document) => document === wanted)).toEqual(readAll(alone));
        expect(splitRecords(bytes).map(({ document, record }) => [document, Buffer.from(record)])).toEqual(
          documents.map(([number, posting]) => [number, Buffer.from(packRecord(number, posting))]),
        );
      }),
    );
  });

  it("that were cut off are refused, and any bytes are read to their end or refused", () => {
    const bytes = packRecord(7, {
      sections: [{ section: 0, score: 5 }],
      passages: [{ position: 1, section: 0, score: 9, isOwn: true }],
    });
    for (let length = 1; length < bytes.length; length += 1)
      expect(() => readAll(bytes.subarray(0, length))).toThrow(expect.objectContaining({ code: "index_incomplete" }));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (any) => {
        for (const read of [() => readAll(any), () => splitRecords(any)])
          try {
            read();
          } catch (thrown) {
            expect(thrown).toMatchObject({ code: "index_incomplete" });
          }
      }),
    );
  });
});
