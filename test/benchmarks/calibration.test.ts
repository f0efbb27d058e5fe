import { describe, expect, it } from "vitest";
import { doesHold } from "../../benchmarks/calibration/calibration.ts";
import { runDrifts } from "../../benchmarks/calibration/drifts.ts";
import { shapes } from "../../benchmarks/calibration/shapes.ts";
import { runShape } from "../../benchmarks/calibration/thresholds.ts";

// A look at what `bench calibration` measures in full: the same runs, fewer of them.
const sizes = { runs: 60, decisions: 2_000, bound: 0.02 };
const shapeOf = (name: string) => {
  const found = shapes.find((shape) => shape.name === name);
  if (found === undefined) throw new Error(`there is no shape ${name}`);
  return found;
};

describe("simulated reviewers with known truth", () => {
  it("see the bound held, and most of what an oracle would let through go alone", () => {
    const { held, reach, oracle } = runShape(shapeOf("usual"), sizes);
    expect(held).toBeGreaterThanOrEqual(0.95);
    expect(reach).toBeGreaterThanOrEqual(0.7);
    // By hand: 0.002 + 0.3 p^4 is wrong at the place p, and its mean up to p is 0.002 + 0.06 p^4, which is 2 % at p = 0.74.
    expect(oracle).toBeCloseTo((0.018 / 0.06) ** 0.25, 2);
  });

  it("see nothing proposed where scores say nothing of being right", () => {
    expect(runShape(shapeOf("uninformative"), sizes)).toMatchObject({ held: 1, reach: null, proposed: 0, oracle: 0 });
  });

  it("see the bound broken where what is wrong is never told apart", () => {
    const blind = { ...shapeOf("uninformative"), reviewer: { misses: 1, rejects: 0 } };
    expect(runShape(blind, sizes)).toMatchObject({ held: 0, proposed: 1 });
  });

  it("see every drift caught, and hardly an alarm without one", () => {
    const { drifts, falseAlarms, looks } = runDrifts(10);
    expect(drifts.map(({ caught }) => caught)).toEqual(drifts.map(() => 1));
    expect(looks).toBe(80_000);
    expect(falseAlarms).toBeLessThanOrEqual(8);
  });

  it("hold what is promised by every figure, and by none in another's place", () => {
    const report = {
      ...{ decisions: 2_000, runs: 100, bound: 0.02, held_least: 0.95, reach_usual: 0.7, shapes: [] },
      drifts: [{ drift: "one", caught: 0.95, median: 40, p90: 60 }],
      quiet: [{ spread: "usual", reference: 100, decisions: 2_000, alarmed: 0.1, bound: 0.1 }],
      ...{ false_alarms: 4, false_alarms_most: 4, looks_without_change: 80_000 },
    };
    expect(doesHold(report)).toBe(true);
    expect(doesHold({ ...report, held_least: 0.949 })).toBe(false);
    expect(doesHold({ ...report, reach_usual: null })).toBe(false);
    expect(doesHold({ ...report, drifts: [...report.drifts, { drift: "two", caught: 0.94, median: 40, p90: null }] })).toBe(
      false,
    );
    expect(
      doesHold({ ...report, quiet: [{ spread: "even", reference: 100, decisions: 2_000, alarmed: 0.101, bound: 0.1 }] }),
    ).toBe(false);
    expect(doesHold({ ...report, false_alarms: 5 })).toBe(false);
  });
});
