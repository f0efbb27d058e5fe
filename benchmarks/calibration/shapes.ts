import type { Signal } from "../../src/contract/signal.ts";

/** A decision of a simulated slice: its signals, and how likely it is to be wrong. Only the simulation knows the second. */
export interface Truth {
  readonly signals: readonly Signal[];
  readonly wrong: number;
}

/** One way in which scores may be spread and say something of being right. `at` takes a place from 0 to 1 in the whole of its traffic. */
export interface Shape {
  readonly name: string;
  readonly at: (place: number) => Truth;
  /** A calibration is fitted from the first quarter, and the threshold is proved by the rest. */
  readonly isCalibrated?: true;
  /** How often a reviewer signs what is wrong and the separate read sees nothing of it, and how often they reject what is right. */
  readonly reviewer?: { readonly misses: number; readonly rejects: number };
}

const verified = (score: number): readonly Signal[] => [
  { name: "verification", ppm: Math.round(Math.min(1, Math.max(0, score)) * 1_000_000), weightPpm: 500_000 },
];

/** Most scores are high, and the lower ones are worse: what a capability looks like that works. */
const usual = (place: number): Truth => {
  const score = 1 - 0.5 * place * place;
  return { signals: verified(score), wrong: Math.min(0.5, 0.002 + 1.2 * (1 - score) ** 2) };
};

/** A judge looks at three in ten; its opinion is another scale than the checks alone. */
const withJudge = (place: number): Truth => {
  const isJudged = place * 1_000 - Math.floor(place * 1_000) < 0.3;
  const { signals, wrong } = usual(place);
  const opinion: Signal = { name: "judge", ppm: Math.round(Math.max(0, 0.9 - 2 * wrong) * 1_000_000), weightPpm: 200_000 };
  return { signals: isJudged ? [...signals, opinion] : signals, wrong };
};

/** All shapes. In the last two no threshold is right, or hardly any. */
export const shapes: readonly Shape[] = [
  { name: "usual", at: usual },
  { name: "even", at: (place) => ({ signals: verified(place), wrong: Math.min(0.6, 0.6 * Math.exp(-9 * place)) }) },
  { name: "step", at: (place) => ({ signals: verified(place), wrong: place > 0.4 ? 0.004 : 0.3 }) },
  { name: "four_levels", at: fourLevels },
  { name: "two_sets_calibrated", at: withJudge, isCalibrated: true },
  { name: "reviewers_too_strict", at: usual, reviewer: { misses: 0, rejects: 0.003 } },
  { name: "reviewers_too_kind", at: usual, reviewer: { misses: 0.1, rejects: 0 } },
  { name: "hardly_informative", at: (place) => ({ signals: verified(place), wrong: 0.005 + 0.1 * (1 - place) }) },
  { name: "uninformative", at: (place) => ({ signals: verified(place), wrong: 0.08 }) },
];

function fourLevels(place: number): Truth {
  const [score, wrong] =
    place < 0.3
      ? ([0.7, 0.2] as const)
      : place < 0.6
        ? ([0.85, 0.05] as const)
        : place < 0.85
          ? ([0.95, 0.01] as const)
          : ([1, 0.003] as const);
  return { signals: verified(score), wrong };
}
