import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Calibration, type CalibrationMap, calibrationLabel, composedPpm, faultOfCalibration } from "./calibration.ts";
import type { Signal } from "./signal.ts";

const signal = (name: Signal["name"], ppm: number): Signal => ({ name, ppm, weightPpm: 500_000 });
const map = (signals: CalibrationMap["signals"], ...points: readonly (readonly [number, number])[]): CalibrationMap => ({
  ...{ signals, method: "isotonic", decisions: 100, agreed: 90 },
  points: points.map(([scorePpm, ppm]) => ({ scorePpm, ppm })),
});
const calibration: Calibration = {
  ...{ version: 1, id: "cal-0123456789ab", capability: "lend" },
  evidence: { basis: "0".repeat(64), from: 0, until: 1 },
  maps: [map(["verification"], [400_000, 100_000], [800_000, 900_000]), map(null, [500_000, 300_000])],
};

describe("a calibrated confidence", () => {
  it("runs straight between the points of its own set of signals, and is level beyond them", () => {
    const of = (ppm: number) => composedPpm([signal("verification", ppm)], calibration);
    expect([of(100_000), of(400_000), of(500_000), of(600_001), of(800_000), of(999_999)]).toEqual([
      ...[100_000, 100_000, 300_000, 500_002, 900_000, 900_000],
    ]);
  });

  it("goes by the map of every set where its own has none, and by the score alone without a calibration", () => {
    const both = [signal("verification", 900_000), signal("judge", 500_000)];
    expect(composedPpm(both, calibration)).toBe(300_000);
    expect(composedPpm(both, undefined)).toBe(700_000);
  });

  it("stays nothing where only the model speaks, or nothing was fitted", () => {
    expect(composedPpm([signal("model", 1_000_000)], calibration)).toBe(0);
    expect(composedPpm([signal("evidence", 900_000)], { maps: calibration.maps.slice(0, 1) })).toBe(0);
  });

  it("never falls where the score rises", () => {
    const score = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(score, score, (one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const of = (ppm: number) => composedPpm([signal("verification", ppm)], calibration);
        expect(of(high)).toBeGreaterThanOrEqual(of(low));
      }),
    );
  });

  it("is named in entries by its id", () => {
    expect([calibrationLabel(undefined), calibrationLabel(calibration)]).toEqual(["weights-1", "weights-1+cal-0123456789ab"]);
  });
});

it.each([
  [{ maps: [] }, "no map"],
  [{ id: "mine" }, "its id"],
  [{ maps: [map(null)] }, "no point"],
  [{ maps: [map(null, [1, 0.5])] }, "whole number"],
  [{ maps: [map(null, [1, 1_000_001])] }, "whole number"],
  [{ maps: [map(null, [1, 5], [2, 4])] }, "falls"],
  [{ maps: [map(null, [2, 5], [2, 6])] }, "falls"],
])("a calibration with %j cannot be used: %s", (own, fault) => {
  expect(faultOfCalibration(calibration)).toBeNull();
  expect(faultOfCalibration({ ...calibration, ...own })).toContain(fault);
});
