import { describe, expect, it } from "vitest";
import { joinRanks, ndcgAt, precisionAt, recallAt, reciprocalRank } from "../../src/evals/scorers/ranking.ts";
import { percentile } from "../../src/evals/statistics/percentile.ts";

const ranked = ["a", "b", "c", "d"];

describe("figures of a ranked list", () => {
  it("count what is relevant among the first", () => {
    expect(recallAt(ranked, ["b", "d", "x"], 2)).toBeCloseTo(1 / 3);
    expect(recallAt(ranked, ["b", "d", "x"], 4)).toBeCloseTo(2 / 3);
    expect(precisionAt(ranked, ["a", "c"], 1)).toBe(1);
    expect(precisionAt(ranked, ["a", "c"], 3)).toBeCloseTo(2 / 3);
    // Two places hold nothing, which is not relevant.
    expect(precisionAt(["a"], ["a"], 3)).toBeCloseTo(1 / 3);
  });

  it("tell where the first relevant one stands", () => {
    expect(reciprocalRank(ranked, ["c", "d"])).toBeCloseTo(1 / 3);
    expect(reciprocalRank(ranked, ["x"])).toBe(0);
    expect(reciprocalRank([], ["x"])).toBe(0);
  });

  it("discount by the place, against the best order that there could be", () => {
    // Gains at places 2 and 4: 1/log2(3) + 1/log2(5) = 0.63093 + 0.43068 = 1.06161; at best at 1 and 2: 1 + 0.63093 = 1.63093.
    expect(ndcgAt(ranked, ["b", "d"], 10)).toBeCloseTo(1.06161 / 1.63093, 4);
    expect(ndcgAt(ranked, ["a", "b"], 10)).toBe(1);
    expect(ndcgAt(ranked, ["x"], 10)).toBe(0);
    // Only one place is looked at, so one relevant id is all that there could be.
    expect(ndcgAt(ranked, ["a", "b"], 1)).toBe(1);
  });

  it("join lists place by place", () => {
    expect(joinRanks([["a", "b", "c"], ["b", "d"], []])).toEqual(["a", "b", "d", "c"]);
    expect(joinRanks([])).toEqual([]);
  });

  it("take percentiles by the nearest rank", () => {
    const values = [50, 10, 40, 20, 30];
    expect([percentile(values, 0.5), percentile(values, 0.9), percentile([7], 0.5), percentile([], 0.5)]).toEqual([
      30,
      50,
      7,
      null,
    ]);
  });
});
