import { describe, expect, it } from "vitest";
import type { Passage } from "../../contract/found-passages.ts";
import { groundedness, sentencesOf } from "./groundedness.ts";

const passage: Passage = {
  ...{ kind: "passage", id: "p", need: "n", document: "d", title: "Hosting terms", version: "1", section: "Backups", score: 1 },
  text: "Backups are made every 6 hours and kept for 30 days in Frankfurt.",
};
const context = { items: [passage] };
const said = (text: string, sources = ["p"]) => groundedness([{ text, sources }], context).ppm;

describe("groundedness", () => {
  it("is the share of statements that their sources bear out", () => {
    const statements = ["Backups are kept for 30 days.", "They are made every 6 hours.", "They are kept for 90 days."];
    const { ppm, ungrounded } = groundedness(
      statements.map((text) => ({ text, sources: ["p"] })),
      context,
    );
    expect(ppm).toBe(666_666);
    expect(ungrounded).toMatchObject([{ text: statements[2], stray: ["90 days"] }]);
  });

  it("does not count words that say something else, though no figure is wrong", () => {
    expect(said("Our engineers love mountain bikes.")).toBe(0);
    expect(said("Backups are kept for a month or so in Frankfurt.")).toBe(1_000_000);
  });

  it("counts nothing without a source, or with one that was not retrieved", () => {
    expect(said("Backups are made.", [])).toBe(0);
    expect(said("Backups are made.", ["q"])).toBe(0);
  });

  it("takes a text without citations by its sentences", () => {
    expect(sentencesOf("Kept for 30 days. Made every 6.5 hours!\nYes", ["p"]).map(({ text }) => text)).toEqual([
      ...["Kept for 30 days.", "Made every 6.5 hours!", "Yes"],
    ]);
  });
});
