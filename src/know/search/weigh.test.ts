import { describe, expect, it } from "vitest";
import { type Weighing, weigh } from "./weigh.ts";

function parts(counts: Readonly<Record<string, number>>, more: Partial<Weighing> = {}) {
  const asked = { terms: Object.keys(counts), counts: new Map(Object.entries(counts)), total: 1_000, mostToFind: 100, ...more };
  const { finding, ordering } = weigh(asked);
  return { finding: finding.map(({ term }) => term), ordering: ordering.map(({ term }) => term) };
}

describe("the weights of terms", () => {
  it("let rarer ones find, as long as they find no more than may be", () => {
    expect(parts({ common: 90, rare: 3, usual: 20 })).toEqual({ finding: ["rare", "usual"], ordering: ["common"] });
    expect(parts({ common: 77, rare: 3, usual: 20 })).toEqual({ finding: ["rare", "usual", "common"], ordering: [] });
  });

  it("let the rarest one find however common it is, and keep those that stand in headings alone", () => {
    expect(parts({ all: 1_000, most: 900 })).toEqual({ finding: ["most"], ordering: ["all"] });
    expect(parts({ all: 1_000, heading: 0 })).toEqual({ finding: ["heading", "all"], ordering: [] });
  });

  it("are the higher the rarer a term is, and never nothing", () => {
    const { finding } = weigh({
      terms: ["a", "b", "c"],
      counts: new Map(Object.entries({ a: 1, b: 50, c: 1_000 })),
      total: 1_000,
      mostToFind: 9_999,
    });
    expect(finding.map(({ term, weight }) => [term, weight])).toEqual(
      [
        ["a", 6_503],
        ["b", 2_987],
        ["c", 1],
      ].map(([term, weight]) => [term, expect.closeTo(Number(weight), -1)]),
    );
  });
});
