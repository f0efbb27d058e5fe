import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashWord, openWordFilter, wordFilterBytes } from "./word-filter.ts";

describe("a filter of words", () => {
  it("never misses a word that was put in, and its bytes do not depend on their order", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 60 }), (words) => {
        const bytes = wordFilterBytes(new Set(words));
        const filter = openWordFilter(bytes);
        expect(words.every((word) => filter.has(hashWord(word)))).toBe(true);
        expect(wordFilterBytes(new Set(words.toReversed()))).toEqual(bytes);
      }),
    );
  });

  it("takes about one strange word of a hundred for known", () => {
    const filter = openWordFilter(wordFilterBytes(new Set(Array.from({ length: 5_000 }, (_, at) => `known${at}`))));
    const wrong = Array.from({ length: 10_000 }, (_, at) => filter.has(hashWord(`strange${at}`))).filter(Boolean).length;
    expect(wrong).toBeLessThan(200);
  });

  it("knows nothing when it is empty", () => {
    expect(openWordFilter(new Uint8Array()).has(hashWord("word"))).toBe(false);
  });
});
