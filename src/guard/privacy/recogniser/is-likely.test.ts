import { describe, expect, it } from "vitest";
import { isLikely } from "./is-likely.ts";
import type { Span } from "./span.ts";
import { tokensOf } from "./tokens.ts";
import { openWordFilter, type WordFilter, wordFilterBytes } from "./word-filter.ts";
import { openLexicon } from "./word-reading.ts";

const listOf = (...words: readonly string[]): WordFilter => openWordFilter(wordFilterBytes(new Set(words)));
const lexicon = openLexicon({
  ...{ given: listOf("selma", "rose"), family: listOf("usamov", "king"), name: listOf("atlas"), place: listOf(), cue: listOf() },
  ...{
    common: listOf("my", "king", "slow", "the", "is", "and", "of", "up", "to", "days"),
    ordinary: listOf("rose", "keyboard"),
    foreign: listOf("und"),
  },
});

/** Whether the part in braces is kept, taken for a kind of name. */
function isKept(text: string, kind: Span["kind"]): boolean {
  const [before = "", found = "", after = ""] = text.split(/[{}]/);
  const from = tokensOf(before).count;
  const span = { kind, from, to: from + tokensOf(found).count };
  return isLikely(tokensOf(before + found + after), { span, lexicon });
}

describe("a lone word that was found", () => {
  it.each(["so {Selma} went", "Then {Usamov} wrote", "Dear {King}, thanks", "so {Rose} went", "ask {selma} today"])(
    "stays: %s",
    (text) => {
      expect(isKept(text, "person")).toBe(true);
    },
  );

  it.each([
    "{My} mouse",
    "as {JSON} only",
    "set to {true} then",
    "{Slow} computers",
    "An {HTTP} answer",
    "call {toBe} here",
    "Where {selma} is Not",
  ])("goes: %s", (text) => {
    expect(isKept(text, "person")).toBe(false);
  });
});

describe("what was taken for an address", () => {
  it.each(["at {12 Harrow Lane} now", "zip {62701} is mine", "{Lindenstraße 12} in"])("stays: %s", (text) => {
    expect(isKept(text, "address")).toBe(true);
  });

  it.each(["up to {90} days", "in {2026} too", "the {2. **Groups} of", "by {ISO 27001} and", "each {row} of"])(
    "goes: %s",
    (text) => {
      expect(isKept(text, "address")).toBe(false);
    },
  );
});
