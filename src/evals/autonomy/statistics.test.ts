import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agreementInterval, atMost, leastDecisions, mostMissed } from "./binomial.ts";
import { isotonicPoints, plattPoints } from "./isotonic.ts";
import { scoreReference } from "./score-reference.ts";
import { findThreshold, type JudgedScore } from "./thresholds.ts";

describe("the exact binomial tail", () => {
  it("is what is counted by hand", () => {
    // Of two coins at most one shows heads in three of four ways.
    expect(atMost(1, 2, 0.5)).toBeCloseTo(0.75, 12);
    expect(atMost(0, 3, 0.1)).toBeCloseTo(0.729, 12);
    expect(atMost(3, 3, 0.1)).toBe(1);
    // 0.98^1000 + 1000 * 0.02 * 0.98^999.
    expect(atMost(1, 1_000, 0.02)).toBeCloseTo(0.98 ** 1_000 + 20 * 0.98 ** 999, 15);
  });

  it("gives the interval of Clopper and Pearson", () => {
    // With no miss the end is known in closed form.
    expect(mostMissed({ missed: 0, decisions: 183, delta: 0.025 })).toBeCloseTo(1 - 0.025 ** (1 / 183), 9);
    // Their table for 8 of 10 at 95 %: 44.4 % to 97.5 %.
    expect(agreementInterval({ agreed: 8, decisions: 10, delta: 0.025 })).toEqual({ leastPpm: 443_904, mostPpm: 974_790 });
    // 56 of 57, as people are shown it: at least 90.6 %; with one fewer 87.9 %.
    expect(agreementInterval({ agreed: 56, decisions: 57, delta: 0.025 }).leastPpm).toBe(906_083);
    expect(agreementInterval({ agreed: 55, decisions: 57, delta: 0.025 }).leastPpm).toBe(878_929);
  });

  it("says how many agreements in a row it takes", () => {
    const [barPpm, delta] = [980_000, 0.025];
    const need = leastDecisions({ barPpm, delta });
    const leastOf = (decisions: number) => agreementInterval({ agreed: decisions, decisions, delta }).leastPpm;
    expect([leastOf(need) >= barPpm, leastOf(need - 1) >= barPpm]).toEqual([true, false]);
  });
});

const all = (count: number, ppm: number, agreed = true): JudgedScore[] => Array.from({ length: count }, () => ({ ppm, agreed }));

describe("a threshold", () => {
  it("is not proposed from too few, nor from scores of nothing", () => {
    expect(findThreshold({ judged: all(250, 900_000), barPpm: 980_000 })).toEqual({ kind: "not_enough", have: 250, need: 252 });
    expect(findThreshold({ judged: all(9_000, 0), barPpm: 980_000 })).toMatchObject({ kind: "not_enough", have: 0 });
  });

  it("is the lowest that the answers bear out, and takes all of one score together", () => {
    const judged = [...all(600, 950_000), ...all(400, 900_000), ...all(300, 700_000, false)];
    expect(findThreshold({ judged, barPpm: 980_000 })).toEqual({
      ...{ kind: "proposed", thresholdPpm: 900_000, decisions: 1_000, agreed: 1_000 },
    });
  });

  it("is not proposed where people agree less often than the bar, however many there are", () => {
    const judged = Array.from({ length: 4_000 }, (_none, i) => ({ ppm: 500_000 + i * 100, agreed: i % 20 !== 0 }));
    expect(findThreshold({ judged, barPpm: 980_000 })).toMatchObject({ kind: "below_bar" });
    expect(findThreshold({ judged, barPpm: 900_000 })).toMatchObject({ kind: "proposed" });
  });

  it("never holds fewer agreements than its own bar", () => {
    const scores = fc.array(fc.record({ ppm: fc.integer({ min: 1, max: 1_000_000 }), agreed: fc.boolean() }), { maxLength: 400 });
    fc.assert(
      fc.property(scores, fc.integer({ min: 300_000, max: 900_000 }), (judged, barPpm) => {
        const found = findThreshold({ judged, barPpm });
        if (found.kind !== "proposed") return;
        const { agreed, decisions } = found;
        expect(agreementInterval({ agreed, decisions, delta: 0.025 }).leastPpm).toBeGreaterThanOrEqual(barPpm - 1);
        expect(judged.filter(({ ppm }) => ppm >= found.thresholdPpm)).toHaveLength(decisions);
      }),
    );
  });
});

describe("a calibration", () => {
  it("pools neighbours that fall, and joins the blocks at their centres", () => {
    // Shares 1/2, 0/2 fall and become 1/4 at 150,000; 2/2 stays, drawn in from certainty by one of eight.
    const judged = [...[...all(1, 100_000), ...all(1, 100_000, false), ...all(2, 200_000, false)], ...all(2, 900_000)];
    expect(isotonicPoints(judged)).toEqual([
      { scorePpm: 150_000, ppm: 250_000 },
      { scorePpm: 900_000, ppm: 875_000 },
    ]);
  });

  it("finds the sigmoid that made the answers", () => {
    // Agreement by 1 / (1 + exp(-(8 x - 4))), in exact shares at eleven scores.
    const judged = Array.from({ length: 11 }, (_none, i) => {
      const share = Math.round(1_000 / (1 + Math.exp(-(8 * (i / 10) - 4))));
      return [...all(share, i * 100_000), ...all(1_000 - share, i * 100_000, false)];
    }).flat();
    const points = plattPoints(judged);
    expect(points.at(0)?.ppm).toBeCloseTo(1_000_000 / (1 + Math.exp(4)), -4);
    expect(points.at(-1)?.ppm).toBeCloseTo(1_000_000 / (1 + Math.exp(-4)), -4);
  });

  it("never falls, by either way", () => {
    const scores = fc.array(fc.record({ ppm: fc.integer({ min: 0, max: 1_000_000 }), agreed: fc.boolean() }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(scores, fc.constantFrom(isotonicPoints, plattPoints), (judged, pointsOf) => {
        const points = pointsOf(judged);
        for (const [i, { scorePpm, ppm }] of points.entries()) {
          expect(Number.isInteger(ppm) && ppm >= 0 && ppm <= 1_000_000).toBe(true);
          const before = points[i - 1];
          if (before !== undefined) expect([scorePpm > before.scorePpm, ppm >= before.ppm]).toEqual([true, true]);
        }
      }),
    );
  });
});

describe("the usual spread of confidences", () => {
  it("is cut at some of them, with what never came on either side, into stretches of whole gaps", () => {
    expect(scoreReference(Array.from({ length: 99 }, (_none, i) => i))).toBeNull();
    const scores = Array.from({ length: 120 }, (_none, i) => 1_000 + 10 * i);
    expect(scoreReference(scores)).toEqual({ cuts: [1_000, 1_600, 2_190], gaps: [1, 60, 59, 1] });
  });
});
