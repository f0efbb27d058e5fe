import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Break, plainWord, tokensOf } from "./tokens.ts";

const read = (text: string) => {
  const { count, starts, ends } = tokensOf(text);
  return Array.from({ length: count }, (_, at) => text.slice(starts[at], ends[at]));
};

describe("tokens", () => {
  it.each([
    ["Eric's car", ["Eric", "'s", "car"]],
    ["O'Brien and I'm", ["O'Brien", "and", "I'm"]],
    ["J. R. Smith-Jones", ["J", ".", "R", ".", "Smith", "-", "Jones"]],
    ["Kossuth u. 12a, 1.5 km", ["Kossuth", "u", ".", "12a", ",", "1.5", "km"]],
    ["((((( 1.1.1.1.", ["(((((", "1.1.1.1", "."]],
    ["😀Zoë", ["😀", "Zoë"]],
    ["", []],
  ])("of %j", (text, tokens) => {
    expect(read(text)).toEqual(tokens);
  });

  it("tell what stands before them", () => {
    expect([...tokensOf("a.b c\nd\n\ne \n f").breaks]).toEqual([
      ...[Break.paragraph, Break.none, Break.none, Break.space, Break.line, Break.paragraph, Break.line],
    ]);
  });

  it("hold every character that is no space, in order, of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(read(text).join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
        const { count, starts, ends } = tokensOf(text);
        for (let at = 0; at < count; at += 1) {
          expect(ends[at]).toBeGreaterThan(starts[at] ?? 0);
          if (at > 0) expect(starts[at]).toBeGreaterThanOrEqual(ends[at - 1] ?? 0);
        }
      }),
    );
  });

  it("are no more than twice as many for twice the text", () => {
    for (const hostile of ["1.1.1.", "a's ", "123-45-", "o'o'", "A ", "(".repeat(9)])
      expect(tokensOf(hostile.repeat(8_000)).count).toBeLessThanOrEqual(2 * tokensOf(hostile.repeat(4_000)).count + 2);
  });
});

describe("the plain form of a word", () => {
  it.each([
    ["Šárka", "sarka"],
    ["MÜLLER", "muller"],
    ["Søren", "søren"],
  ])("of %s is %s", (word, plain) => {
    expect(plainWord(word)).toBe(plain);
  });
});
