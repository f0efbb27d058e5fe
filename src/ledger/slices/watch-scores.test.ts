import { describe, expect, it } from "vitest";
import type { ScoreReference } from "../../contract/autonomy.ts";
import { seeded } from "../../contract/seeded.ts";
import {
  alarmOfScores,
  doReviewsDisagree,
  haveScoresDrifted,
  unreviewed,
  unwatched,
  watchReview,
  watchScore,
} from "./watch-scores.ts";

/** A reference of 111 scores, cut at each eleventh. */
function referenceOf(random: () => number): ScoreReference {
  const sorted = Array.from({ length: 111 }, random).sort((one, other) => one - other);
  const cuts = Array.from({ length: 11 }, (_none, i) => sorted[i * 11] ?? 0);
  return { cuts, gaps: [1, ...Array<number>(10).fill(11), 1] };
}

describe("the watch over confidences", () => {
  it("alarms no oftener than it says where nothing has changed, however small the reference", () => {
    const [runs, looks] = [200, 2_000];
    let alarmed = 0;
    for (let run = 0; run < runs; run += 1) {
      const random = seeded(run * 7_919 + 1);
      const reference = referenceOf(random);
      let watch = unwatched(reference);
      for (let i = 0; i < looks && !haveScoresDrifted(watch); i += 1) watch = watchScore(watch, random(), reference);
      if (haveScoresDrifted(watch)) alarmed += 1;
    }
    expect(alarmed / runs).toBeLessThanOrEqual(looks / alarmOfScores);
  });

  it("makes fair bets: what a look is expected to win is nothing, whatever came before", () => {
    const random = seeded(3);
    const reference = referenceOf(random);
    let watch = unwatched(reference);
    const { cuts, gaps } = reference;
    // One score for each stretch, and how likely the next one falls there.
    const places = [(cuts[0] ?? 0) - 1, ...cuts];
    for (let i = 0; i < 300; i += 1) {
      const before = Math.max(0, watch.wealth);
      const known = gaps.map((count, at) => count + (watch.came[at] ?? 0));
      const all = known.reduce((sum, count) => sum + count, 0);
      const won = places.map((score) => Math.exp(watchScore(watch, score, reference).wealth - before));
      expect(won.reduce((sum, one, at) => sum + (one * (known[at] ?? 0)) / all, 0)).toBeCloseTo(1, 9);
      watch = watchScore(watch, random(), reference);
    }
  });

  it("sees a change soon, by a small reference too", () => {
    for (let run = 0; run < 50; run += 1) {
      const random = seeded(run * 104_729 + 5);
      const reference = referenceOf(random);
      let watch = unwatched(reference);
      let looks = 0;
      for (; looks < 100 && !haveScoresDrifted(watch); looks += 1) watch = watchScore(watch, 0.9 + 0.1 * random(), reference);
      expect(looks).toBeLessThan(100);
    }
  });
});

describe("the watch over answers", () => {
  const until = (agreed: boolean, barPpm: number) => {
    let watch = unreviewed;
    for (let i = 1; i <= 1_000; i += 1) {
      watch = watchReview(watch, agreed, barPpm);
      if (doReviewsDisagree(watch)) return i;
    }
    return null;
  };

  it("ends with the first that is disagreed with where all must be agreed with", () => {
    expect([until(false, 1_000_000), until(true, 1_000_000)]).toEqual([1, null]);
  });

  it("sees disagreement by any bar, and no alarm in agreement", () => {
    for (const barPpm of [100_000, 400_000, 500_000, 900_000, 980_000]) {
      expect(until(false, barPpm)).toBeLessThan(200);
      expect(until(true, barPpm)).toBeNull();
    }
  });
});
