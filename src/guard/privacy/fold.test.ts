import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold, originalRange } from "./fold.ts";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.string({
    unit: fc.constantFrom(
      "a",
      "а",
      "Ο",
      "4",
      "٤",
      "４",
      "\u200b",
      "\u00ad",
      "\u0301",
      "\r",
      "\n",
      "＠",
      "😀",
      "\ud83d",
      "𝟒",
      "–",
      " ",
    ),
  }),
);

const backOf = (text: string, part: string): string => {
  const folded = fold(text);
  const start = folded.text.indexOf(part);
  const { start: from, end } = originalRange(folded, start, start + part.length);
  return text.slice(from, end);
};

describe("folding", () => {
  it.each([
    ["full-width digits and signs", "４１１１　ｊａｎｅ＠ｘ．ｅｘａｍｐｌｅ", "4111 jane@x.example"],
    ["digits of other scripts", "٤٢ ४२ ၄၂ 𝟜𝟚", "42 42 42 42"],
    ["what is invisible", "ja\u200bne\u00ad@x\u2060.ex\ufeffample\u202e", "jane@x.example"],
    ["dashes", "1‐2‑3‒4–5—6―7−8", "1-2-3-4-5-6-7-8"],
    ["spaces", "a\u00a0b\u2009c\u3000d", "a b c d"],
    ["quotation marks", "O’Brien “x”", 'O\'Brien "x"'],
    ["line ends", "a\r\nb\rc\u2028d", "a\nb\nc\nd"],
    ["a Cyrillic letter in a Latin name", "Mаria Рetersen", "Maria Petersen"],
    ["Greek letters in a key", "ΑΚIA99", "AKIA99"],
    ["Cyrillic letters before digits", "ВЕ68 5390", "BE68 5390"],
    ["Cyrillic letters of an address", "сор@x.example", "cop@x.example"],
    ["a letter and its mark", "Rene\u0301 Du\u0308rr", "René Dürr"],
    ["marks through digits", "4\u03361\u03361\u0336", "411"],
    ["digits on keys", "4\ufe0f\u20e31\ufe0f\u20e3", "41"],
    ["mathematical letters", "𝐣𝐚𝐧𝐞", "jane"],
  ])("takes %s to one form", (_, text, folded) => {
    expect(fold(text).text).toBe(folded);
  });

  it.each([
    "Привет, Борис",
    "Ελλάδα",
    "Łukasz Żółć",
    "München",
    "東京都",
    "नमस्ते",
    "x² m³",
    "Привет, John",
    "👩‍💻".replace("\u200d", ""),
  ])("leaves %s as it is", (text) => {
    expect(fold(text).text).toBe(text);
  });

  it("keeps the very text where there is nothing to fold", () => {
    expect(fold("Jane\tDoe\n4111").origin).toBeNull();
  });

  it("finds the way back over what was left out, joined or shortened", () => {
    expect(backOf("x ja\u200bne\u200b y", "jane")).toBe("ja\u200bne");
    expect(backOf("x Rene\u0301 y", "René")).toBe("Rene\u0301");
    expect(backOf("x 𝟜𝟚 y", "42")).toBe("𝟜𝟚");
    expect(backOf("a\r\nb", "\n")).toBe("\r\n");
  });

  it("knows every decimal digit of Unicode by its value", () => {
    for (let point = 0x80; point < 0x20000; point += 1) {
      const digit = String.fromCodePoint(point);
      if (/\p{Nd}/u.test(digit)) expect(fold(digit).text).toMatch(/^[0-9]$/);
    }
  });

  it("maps every part of any text to a part of the original that splits no surrogate pair", () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, first, second) => {
        const folded = fold(text);
        const start = first % (folded.text.length + 1);
        const end = start + (second % (folded.text.length - start + 1));
        const range = originalRange(folded, start, end);
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThanOrEqual(text.length);
        for (const border of [range.start, range.end]) expect(isInsidePair(text, border)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("folds to the same again what is folded, and each unit to one that follows the last", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = fold(text);
        const ends = [...(once.origin?.ends ?? [])];
        const starts = [...(once.origin?.starts ?? [])];
        expect(starts.every((start, at) => at === 0 || start >= (starts[at - 1] ?? 0))).toBe(true);
        expect(ends.every((end, at) => end > (starts[at] ?? 0))).toBe(true);
        expect(once.text.length).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps the part of the original in the folded form: a slice folds to what the slice was folded to", () => {
    const text = "Kunde Mаria: ４１１１ 1111–1111 1111, ja\u200bne＠x.example";
    for (const part of ["Maria", "4111 1111-1111 1111", "jane@x.example"]) expect(fold(backOf(text, part)).text).toBe(part);
  });
});

const isInsidePair = (text: string, border: number): boolean =>
  border > 0 && border < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(border - 1, border + 1));
