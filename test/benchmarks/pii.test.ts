import { describe, expect, it } from "vitest";
import { pii } from "../../benchmarks/pii/pii.ts";
import { scoresOf } from "../../benchmarks/pii/scores.ts";

const text = "Ana Kovács, 12 Mill Lane, ana@shop.example";
const one = {
  ...{ text, template: 1 },
  spans: [
    { type: "PERSON", start: 0, end: 10 },
    { type: "STREET_ADDRESS", start: 12, end: 24 },
    { type: "EMAIL_ADDRESS", start: 26, end: 42 },
  ],
};

describe("the scores of bench pii", () => {
  it("are full where everything is masked by its class, and nothing else", () => {
    const classes = ["person", "address", "email"];
    const { types, overRedaction, f2 } = scoresOf(
      [one],
      [one.spans.map(({ start, end }, at) => ({ start, end, class: classes[at] ?? null }))],
    );
    expect(types["PERSON"]).toEqual({ spans: 1, recall: 1, maskedByAnyClass: 1, leaks: 0, precision: 1, f2: 1 });
    expect([overRedaction, f2]).toEqual([0, 1]);
  });

  it("count a span as leaked of which one character is left, and tell the right class from any", () => {
    const { types, groups } = scoresOf([one], [[{ start: 1, end: 24, class: "person" }]]);
    expect(types["PERSON"]).toMatchObject({ recall: 0, maskedByAnyClass: 0, leaks: 1 });
    expect(types["STREET_ADDRESS"]).toMatchObject({ recall: 0, maskedByAnyClass: 1, leaks: 0 });
    expect(groups["structuredAndPersonal"]).toEqual({ spans: 1, maskedByAnyClass: 0, leaks: 1 });
  });

  it("count clean characters that were masked, and let organisations through as the shipped policy does", () => {
    const masked = [{ start: 0, end: text.length, class: "organisation" }];
    const { overRedaction, overRedactionByDefault, maskedByDefault } = scoresOf([one], [masked]);
    expect(overRedaction).toBe(1);
    expect(overRedactionByDefault).toBe(0);
    expect(maskedByDefault).toEqual({ PERSON: 0, STREET_ADDRESS: 0 });
  });

  it("are not made up where there is nothing to measure", async () => {
    const asked = { split: "held" as const, notice: () => {} };
    expect(await pii({ ...asked, data: null })).toEqual({ name: "pii", skipped: expect.stringContaining("--data") });
    expect(await pii({ ...asked, data: "/nowhere" })).toEqual({ name: "pii", skipped: expect.stringContaining("is not there") });
  });
});
