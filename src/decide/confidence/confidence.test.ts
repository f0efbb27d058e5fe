import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lendProjector } from "../../../test/decide/samples.ts";
import { isSampled } from "../../contract/is-sampled.ts";
import { neverAutoPpm, onePpm, type Route } from "../../contract/words.ts";
import { createTestDeps } from "../../testing/index.ts";
import { composeConfidence } from "./compose.ts";
import { lowerRoute, route } from "./route.ts";

const ppm = fc.integer({ min: 0, max: onePpm });
const signals = fc.record({
  verification: fc.option(ppm),
  evidence: fc.option(ppm),
  judge: fc.option(ppm),
  model: fc.option(ppm),
});
const { digest } = createTestDeps({ capability: lendProjector() });

describe("composeConfidence", () => {
  it("weighs what is there and gives the weight of what is absent to the rest", () => {
    const whole = composeConfidence({ verification: onePpm, evidence: 500_000, judge: 0, model: 1_000_000 });
    expect(whole.ppm).toBe(700_000);
    expect(composeConfidence({ verification: onePpm, evidence: null, judge: null, model: 400_000 }).ppm).toBe(900_000);
    expect(composeConfidence({ verification: onePpm, evidence: null, judge: 0, model: null }).ppm).toBe(714_285);
    expect(whole.signals.map((signal) => signal.weightPpm).reduce((sum, weight) => sum + weight)).toBe(onePpm);
    expect(whole.calibration).toBe("weights-1");
  });

  it("counts the model's own number alone, and no signal at all, for nothing", () => {
    expect(composeConfidence({ verification: null, evidence: null, judge: null, model: onePpm }).ppm).toBe(0);
    expect(composeConfidence({ verification: null, evidence: null, judge: null, model: null }).ppm).toBe(0);
  });

  it("gives the model's number the smallest weight", () => {
    const { signals: found } = composeConfidence({ verification: 0, evidence: 0, judge: 0, model: 0 });
    const lightest = found.toSorted((one, other) => one.weightPpm - other.weightPpm);
    expect(lightest[0]?.name).toBe("model");
    expect(lightest[0]?.weightPpm).toBeLessThan(lightest[1]?.weightPpm ?? 0);
  });

  it("is a whole number within bounds, between its lowest and its highest signal", () => {
    fc.assert(
      fc.property(signals, (found) => {
        const { ppm: composed } = composeConfidence(found);
        const values = Object.values(found).filter((value) => value !== null);
        expect(Number.isInteger(composed)).toBe(true);
        expect(composed).toBeGreaterThanOrEqual(0);
        expect(composed).toBeLessThanOrEqual(Math.max(0, ...values));
      }),
    );
  });

  it("never falls when one signal rises", () => {
    const names = ["verification", "evidence", "judge", "model"] as const;
    fc.assert(
      fc.property(signals, fc.constantFrom(...names), ppm, ppm, (found, name, one, other) => {
        const low = composeConfidence({ ...found, [name]: Math.min(one, other) });
        const high = composeConfidence({ ...found, [name]: Math.max(one, other) });
        expect(high.ppm).toBeGreaterThanOrEqual(low.ppm);
      }),
    );
  });
});

describe("route", () => {
  const usual = { confidencePpm: 870_000, verified: true, judgeFailed: false, needsApproval: true, thresholdPpm: 850_000 };

  it.each([
    [{}, "auto", "at_or_above_threshold"],
    [{ confidencePpm: 850_000 }, "auto", "at_or_above_threshold"],
    [{ confidencePpm: 849_999 }, "hitl_recommended", "within_margin"],
    [{ confidencePpm: 650_000 }, "hitl_recommended", "within_margin"],
    [{ confidencePpm: 649_999 }, "hitl_required", "below_margin"],
    [{ verified: false }, "reject", "not_verified"],
    [{ verified: false, needsApproval: false }, "reject", "not_verified"],
    [{ verified: false, judgeFailed: true }, "reject", "not_verified"],
    [{ judgeFailed: true }, "hitl_required", "judge_failed"],
    [{ judgeFailed: true, needsApproval: false }, "hitl_required", "judge_failed"],
    [{ isAudited: true }, "hitl_recommended", "audit_sample"],
    [{ isAudited: true, confidencePpm: 849_999 }, "hitl_recommended", "within_margin"],
    [{ isAudited: true, verified: false }, "reject", "not_verified"],
    [{ isAudited: true, needsApproval: false }, "auto", "no_effects"],
    [{ needsApproval: false, confidencePpm: 0 }, "auto", "no_effects"],
    [{ confidencePpm: onePpm, thresholdPpm: neverAutoPpm }, "hitl_recommended", "within_margin"],
    [{ confidencePpm: Number.NaN }, "hitl_required", "below_margin"],
    [{ thresholdPpm: Number.NaN }, "hitl_required", "below_margin"],
  ] as const)("of %j is %s by %s", (part, way, rule) => {
    expect(route({ ...usual, ...part })).toEqual({ route: way, rule });
  });

  it("is never auto without verification, after a failed judge, or below the threshold; nor with a threshold that nothing reaches", () => {
    const any = fc.record({
      confidencePpm: ppm,
      verified: fc.boolean(),
      judgeFailed: fc.boolean(),
      needsApproval: fc.boolean(),
      thresholdPpm: fc.oneof(ppm, fc.constant(neverAutoPpm)),
    });
    fc.assert(
      fc.property(any, (given) => {
        const { route: way } = route(given);
        if (!given.verified) expect(way).toBe("reject");
        if (given.judgeFailed) expect(way).not.toBe("auto");
        if (given.needsApproval && given.confidencePpm < given.thresholdPpm) expect(way).not.toBe("auto");
        if (given.needsApproval && given.thresholdPpm === neverAutoPpm) expect(way).not.toBe("auto");
      }),
    );
  });

  it("is lowered, never raised, and lowering is a matter of both routes alone", () => {
    const routes: Route[] = ["auto", "hitl_recommended", "hitl_required", "reject"];
    for (const [at, one] of routes.entries()) {
      for (const [other, way] of routes.entries()) expect(lowerRoute(one, way)).toBe(routes[Math.max(at, other)]);
    }
  });
});

describe("isSampled", () => {
  const ids = Array.from({ length: 10_000 }, (_none, place) => `decision-${place}`);
  const shareAt = (ratePpm: number) =>
    ids.filter((decisionId) => isSampled({ of: "judge", decisionId, ratePpm, digest })).length / ids.length;

  it.each([10_000, 100_000, 250_000, 900_000])("takes about a share of %i in a million", (ratePpm) => {
    const share = ratePpm / onePpm;
    // Five standard deviations of a fair draw.
    expect(Math.abs(shareAt(ratePpm) - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / ids.length));
  });

  it("takes none at rate 0, all at rate 1, and the same ones each time", () => {
    expect(shareAt(0)).toBe(0);
    expect(shareAt(onePpm)).toBe(1);
    const drawn = () => ids.map((decisionId) => isSampled({ of: "judge", decisionId, ratePpm: 300_000, digest }));
    expect(drawn()).toEqual(drawn());
  });

  it("keeps who was in the sample when the rate rises", () => {
    for (const decisionId of ids.slice(0, 500)) {
      if (isSampled({ of: "judge", decisionId, ratePpm: 100_000, digest }))
        expect(isSampled({ of: "judge", decisionId, ratePpm: 200_000, digest })).toBe(true);
    }
  });
});
