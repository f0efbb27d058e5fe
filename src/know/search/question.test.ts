import { describe, expect, it } from "vitest";
import { questionOf } from "./question.ts";

const sentence = (from: number, words: number) => `${Array.from({ length: words }, (_, at) => `w${from + at}`).join(" ")}.`;

describe("a question", () => {
  it("is one part, however it is made up of sentences, and each word counts once", () => {
    const { words, terms, parts, leftOut } = questionOf("Oak or elm? An oak.\nOaks");
    expect(words).toEqual([["oak"], ["elm"]]);
    expect(terms).toEqual(["oak", "elm"]);
    expect(parts).toEqual([["oak", "elm"]]);
    expect(leftOut).toBe(0);
  });

  it("that is longer has neighbouring sentences for parts, as long as they are short", () => {
    const { parts } = questionOf([sentence(0, 10), sentence(10, 6), sentence(16, 4), sentence(20, 14)].join(" "));
    expect(parts.map(({ length }) => length)).toEqual([16, 4, 14]);
  });

  it("without an end of a sentence is cut into pieces, and says a word in each part in which it stands", () => {
    const { parts, words } = questionOf(`${sentence(0, 20).slice(0, -1)} ${sentence(0, 20)}`);
    expect(parts.map((terms) => [terms[0], terms.length])).toEqual([
      ["w0", 16],
      ["w16", 16],
      ["w12", 8],
    ]);
    expect(words).toHaveLength(20);
  });

  it("is searched by its first 512 words, and says how many others there were", () => {
    const { parts, terms, words, leftOut } = questionOf(sentence(0, 700));
    expect(parts.flat()).toHaveLength(512);
    expect(terms).toHaveLength(512);
    expect(words).toHaveLength(128);
    expect(leftOut).toBe(188);
  });

  it("without a word has no part", () => {
    expect(questionOf("what is it?")).toEqual({ words: [], terms: [], parts: [], leftOut: 0 });
  });
});
