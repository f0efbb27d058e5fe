import { describe, expect, it } from "vitest";
import { documentSettings } from "../../contract/knowledge.ts";
import { evidenceOf } from "./evidence.ts";
import { questionOf } from "./question.ts";

const rarities: { readonly [term: string]: number } = { laptop: 2, worn: 3, replac: 3, polici: 1 };
const evidence = (query: string, text: string) =>
  evidenceOf(questionOf(query), {
    text,
    settings: documentSettings,
    rarityOf: (term) => rarities[term] ?? 6,
    rarityOfUnseen: 6,
  });

describe("evidence", () => {
  it("is more the more of the question stands there, and the rarer that is", () => {
    const whole = evidence("Is a worn laptop replaced?", "A laptop that is worn is replaced.");
    const half = evidence("Is a worn laptop replaced?", "A laptop is a computer.");
    expect(whole).toBeGreaterThan(0.6);
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(0.4);
    expect(evidence("laptop policy", "a policy of ours")).toBeLessThan(evidence("laptop policy", "a laptop of ours"));
    expect(evidence("zebra", "A laptop.")).toBe(0);
    expect(evidence("what is it?", "What it is.")).toBe(0);
  });

  it("is more where a passage is about the word, and less where it only names it in passing", () => {
    const passing = `laptop ${"and other things of the office with no end ".repeat(40)}`;
    expect(evidence("laptop", "laptop laptop laptop")).toBeGreaterThan(evidence("laptop", "laptop of somebody"));
    expect(evidence("laptop", "laptop of somebody")).toBeGreaterThan(evidence("laptop", passing));
  });

  it("is little for one common word, though it is all that was asked", () => {
    expect(evidence("policy", "a policy of ours")).toBeLessThan(evidence("worn", "a worn one"));
    expect(evidence("policy", "a policy of ours")).toBeLessThan(0.5);
  });

  it("stays below 1, whatever stands there, and counts a word once however often it is asked", () => {
    expect(evidence("worn laptop", "worn laptop ".repeat(500))).toBeLessThan(1);
    expect(evidence("worn worn worn laptop", "worn")).toBe(evidence("worn laptop", "worn"));
  });

  it("takes a name of several parts for found where it stands whole, or where all of its parts do", () => {
    expect(evidence("max_cstate", "intel_idle.max_cstate=1")).toBeGreaterThan(0.5);
    expect(evidence("laptop-replacement", "the replacement of a laptop")).toBeGreaterThan(0.5);
    expect(evidence("ticket-4471", "ticket-4472")).toBe(0);
  });
});
