import { describe, expect, it } from "vitest";
import { seeded } from "../../src/contract/seeded.ts";
import { bootstrapInterval } from "../../src/evals/statistics/bootstrap.ts";
import { mcnemarExact, mcnemarWorse } from "../../src/evals/statistics/mcnemar.ts";
import { mean } from "../../src/evals/statistics/mean.ts";

describe("seeded", () => {
  it("gives the same numbers for the same seed, spread over 0 to below 1", () => {
    const [one, again, other] = [seeded(7), seeded(7), seeded(8)].map((next) => Array.from({ length: 2_000 }, next));
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    expect(Math.min(...(one ?? []))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...(one ?? []))).toBeLessThan(1);
    // The standard deviation of the mean of 2,000 is 0.0065; five of them are far off.
    expect(Math.abs((mean(one ?? []) ?? 0) - 0.5)).toBeLessThan(0.033);
  });
});

describe("bootstrapInterval", () => {
  const choice = { seed: 1, level: 0.95, resamples: 4_000, of: mean };

  it("is that of the binomial distribution for shares", () => {
    // 50 of 100: the standard deviation of the mean is 0.05, so 95 % lie within 0.402 to 0.598.
    const interval = bootstrapInterval([...Array(50).fill(1), ...Array(50).fill(0)], choice);
    expect(interval?.low).toBeCloseTo(0.402, 1);
    expect(interval?.high).toBeCloseTo(0.598, 1);
    expect(interval).toEqual(bootstrapInterval([...Array(50).fill(1), ...Array(50).fill(0)], choice));
  });

  it("holds the true mean about as often as it says", () => {
    const next = seeded(11);
    const held = Array.from({ length: 200 }, (_, run) => {
      const interval = bootstrapInterval(Array.from({ length: 40 }, next), { ...choice, seed: run, resamples: 400 });
      return interval !== null && interval.low <= 0.5 && interval.high >= 0.5 ? 1 : 0;
    });
    expect(mean(held)).toBeGreaterThan(0.88);
  });

  it("is one point where nothing varies, and none of nothing", () => {
    expect(bootstrapInterval([2, 2, 2], choice)).toEqual({ low: 2, high: 2 });
    expect(bootstrapInterval([], choice)).toBeNull();
    expect(bootstrapInterval([1], { ...choice, of: () => Number.NaN })).toBeNull();
  });
});

describe("mcnemar", () => {
  it.each([
    // Of 5 changes all to the worse: (1/2)^5. Of 6 changes 5 or 6: (6 + 1) / 64. Even changes: more than a half.
    [5, 0, 1 / 32],
    [5, 1, 7 / 64],
    [1, 0, 1 / 2],
    [2, 2, 11 / 16],
    [0, 0, 1],
    [0, 4, 1],
  ])("worse: %i lost and %i won", (lost, won, likely) => {
    expect(mcnemarWorse(lost, won)).toBeCloseTo(likely, 10);
  });

  it("of both directions is twice the one, at most 1", () => {
    expect(mcnemarExact(5, 1)).toBeCloseTo(14 / 64, 10);
    expect(mcnemarExact(1, 5)).toBeCloseTo(14 / 64, 10);
    expect(mcnemarExact(2, 2)).toBe(1);
    // As in Fagerland, Lydersen and Laake (2013), table 2: 1 and 7 discordant pairs give an exact conditional p of 0.070.
    expect(mcnemarExact(1, 7)).toBeCloseTo(0.0703, 4);
  });

  it("stays exact for many", () => {
    expect(mcnemarWorse(600, 400)).toBeLessThan(1e-9);
    expect(mcnemarWorse(500, 500)).toBeGreaterThan(0.5);
  });
});
