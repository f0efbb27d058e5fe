import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findStructured } from "./find-structured.ts";
import { compileTerms } from "./terms.ts";

const found = (terms: readonly string[], text: string): string[] =>
  findStructured(text, { terms: compileTerms(terms.map((value) => ({ value }))) }).map(({ start, end }) =>
    text.slice(start, end),
  );

describe("exact terms", () => {
  it.each([
    ["whatever their case", ["Wintermoor"], "WINTERMOOR and wintermoor", ["WINTERMOOR", "wintermoor"]],
    ["at the borders of words alone", ["Tina"], "Tina, Tinas, Martina, Tina's", ["Tina", "Tina"]],
    ["the longest of them", ["Tina", "Tina M"], "Tina M came with Tina", ["Tina M", "Tina"]],
    ["over white space of any kind", ["Tina  Moor"], "Tina\n  Moor, Tina\u00a0Moor", ["Tina\n  Moor", "Tina\u00a0Moor"]],
    ["in other characters", ["Tina Moor"], "Ｔｉｎａ Mооr", ["Ｔｉｎａ Mооr"]],
    ["with signs in them", ["ACME-47/11"], "see acme-47/11.", ["acme-47/11"]],
    ["in scripts without spaces", ["田中"], "私は田中です", ["田中"]],
    ["behind a false start", ["a b d", "b c"], "a b c", ["b c"]],
    ["in escapes", ["Zoë Moor"], "?name=Zo%C3%AB%20Moor&x", ["Zo%C3%AB%20Moor"]],
  ])("are found %s", (_, terms, text, expected) => {
    expect(found(terms, text)).toEqual(expected);
  });

  it("carry their class and kind", () => {
    const terms = compileTerms([{ value: "Tina Moor", class: "person", kind: "customer" }, { value: "K-1" }]);
    expect(findStructured("Tina  Moor has k-1", { terms })).toMatchObject([
      { class: "person", kind: "customer", canonical: "tina moor" },
      { class: "term", kind: "term", canonical: "k - 1" },
    ]);
  });

  it("are none where they are empty or signs alone", () => {
    expect(found(["", " ", "--"], "a -- b")).toEqual([]);
  });

  it("are found wherever a plain search finds them between borders of words", () => {
    const word = fc.constantFrom("ab", "a", "b", "ba");
    const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join(" "));
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 5 }), fc.array(word, { maxLength: 30 }), (terms, list) => {
        const text = list.join(" ");
        const isCovered = new Uint8Array(text.length);
        for (const { start, end } of compileTerms(terms.map((value) => ({ value })))(text)) isCovered.fill(1, start, end);
        const expected = new Uint8Array(text.length);
        for (const term of terms) {
          for (let at = ` ${text} `.indexOf(` ${term} `); at >= 0; at = ` ${text} `.indexOf(` ${term} `, at + 1))
            expected.fill(1, at, at + term.length);
        }
        expect(isCovered).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
