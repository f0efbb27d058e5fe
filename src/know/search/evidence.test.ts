import { describe, expect, it } from "vitest";
import { evidenceOf } from "./evidence.ts";
import { questionOf } from "./question.ts";

const evidence = (query: string, text: string) => evidenceOf(questionOf(query), text);

describe("evidence", () => {
  it("is the share of the query's words that occur, each counted once, and stays below 1", () => {
    expect(evidence("Is a worn laptop replaced?", "Laptops that are worn are replaced.")).toBe(0.999);
    expect(evidence("laptop laptops zebra unicorn", "A laptop, a laptop.")).toBeCloseTo(1 / 3);
    expect(evidence("zebra", "A laptop.")).toBe(0);
    expect(evidence("what is it?", "What it is.")).toBe(0);
  });

  it("takes a name of several parts for found where it stands whole, or where all of its parts do", () => {
    expect(evidence("max_cstate", "intel_idle.max_cstate=1")).toBe(0.999);
    expect(evidence("laptop-replacement", "the replacement of a laptop")).toBe(0.999);
    expect(evidence("ticket-4471", "ticket-4472")).toBe(0);
  });
});

describe("a question", () => {
  it("says how many words it has too many", () => {
    const { words, leftOut } = questionOf(Array.from({ length: 150 }, (_, at) => `w${at}`).join(" "));
    expect(words).toHaveLength(128);
    expect(leftOut).toBe(22);
  });
});
