import { seeded } from "../../src/contract/seeded.ts";
import { scoreReference } from "../../src/evals/autonomy/score-reference.ts";
import {
  alarmOfScores,
  doReviewsDisagree,
  haveScoresDrifted,
  unreviewed,
  unwatched,
  watchReview,
  watchScore,
} from "../../src/ledger/slices/watch-scores.ts";

/** How soon one kind of change was seen. */
export interface DriftResult {
  readonly drift: string;
  /** Share of runs in which it was seen within the decisions that were looked at. */
  readonly caught: number;
  /** Decisions from the change to the alarm; `null` where it was seen in too few runs. */
  readonly median: number | null;
  readonly p90: number | null;
}

/** How often an alarm came where nothing had changed, by how many confidences the reference was made of. */
export interface QuietResult {
  readonly spread: string;
  readonly reference: number;
  readonly decisions: number;
  /** Share of slices that were taken back within so many decisions, and what it may be at most. */
  readonly alarmed: number;
  readonly bound: number;
}

/** Decisions before the change, whose alarms are false, and most decisions after it. */
const before = 2_000;
const after = 5_000;
/** The share of what would go alone that people look at, for changes that scores do not show. */
const auditShare = 0.1;

/** A confidence with a place among its equals by chance. */
const placed = (ppm: number, random: () => number) => ppm * 1_000_000_000 + Math.floor(random() * 1_000_000_000);

/** Scores as they were, and as they are after a change. */
const usual = (random: () => number) => Math.round((1 - 0.5 * random() ** 2) * 1_000_000);
const drifts: readonly { readonly drift: string; readonly score: (random: () => number) => number }[] = [
  { drift: "scores_fall_by_a_tenth", score: (random) => usual(random) - 100_000 },
  { drift: "scores_rise_by_a_fiftieth", score: (random) => Math.min(1_000_000, usual(random) + 20_000) },
  { drift: "all_scores_near_the_middle", score: (random) => Math.round((0.86 + 0.04 * random()) * 1_000_000) },
  {
    drift: "one_in_three_from_elsewhere",
    score: (random) => (random() < 1 / 3 ? Math.round(random() * 500_000) : usual(random)),
  },
];

/** Looks at every kind of change, `runs` times each; and how often an alarm came where nothing had changed. */
export function runDrifts(runs: number): {
  readonly drifts: readonly DriftResult[];
  readonly falseAlarms: number;
  readonly looks: number;
} {
  let falseAlarms = 0;
  const results = drifts.map(({ drift, score }) => {
    const delays: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const seen = delayOf(score, seeded(run * 104_729 + 7));
      falseAlarms += seen.falseAlarms;
      if (seen.delay !== null) delays.push(seen.delay);
    }
    return resultOf(drift, delays, runs);
  });
  return {
    drifts: [...results, resultOf("errors_from_1_to_10_in_100", reviewDelays(runs), runs)],
    falseAlarms,
    looks: runs * drifts.length * before,
  };
}

/** Decisions that are watched with nothing changed. */
const quiet = 2_000;
const spreads: readonly { readonly spread: string; readonly score: (random: () => number) => number }[] = [
  { spread: "usual", score: usual },
  { spread: "even", score: (random) => Math.round((0.7 + 0.3 * random()) * 1_000_000) },
  { spread: "four_levels", score: (random) => [700_000, 850_000, 950_000, 1_000_000][Math.floor(random() * 4)] ?? 0 },
];

/**
 * How often a slice comes down where nothing has changed. An average of so many decisions between two alarms leaves so large a share at most
 * that have come down by then; references are as small as there are.
 */
export function runQuiet(runs: number): readonly QuietResult[] {
  return spreads.flatMap(({ spread, score }) =>
    [100, 252, 2_000].map((size): QuietResult => {
      let alarmed = 0;
      for (let run = 0; run < runs; run += 1) if (isAlarmed(score, size, seeded(run * 32_452_843 + size))) alarmed += 1;
      const bound = quiet / alarmOfScores;
      return { spread, reference: size, decisions: quiet, alarmed: Number((alarmed / runs).toFixed(4)), bound };
    }),
  );
}

function isAlarmed(score: (random: () => number) => number, size: number, random: () => number): boolean {
  const reference = scoreReference(Array.from({ length: size }, () => placed(score(random), random)));
  if (reference === null) throw new Error(`${size} scores are enough for a reference`);
  let watch = unwatched(reference);
  for (let i = 0; i < quiet; i += 1) {
    watch = watchScore(watch, placed(score(random), random), reference);
    if (haveScoresDrifted(watch)) return true;
  }
  return false;
}

function delayOf(
  score: (random: () => number) => number,
  random: () => number,
): { readonly delay: number | null; readonly falseAlarms: number } {
  const reference = scoreReference(Array.from({ length: 2_000 }, () => placed(usual(random), random)));
  if (reference === null) throw new Error("2,000 scores are enough for a reference");
  let watch = unwatched(reference);
  let falseAlarms = 0;
  for (let i = 0; i < before; i += 1) {
    watch = watchScore(watch, placed(usual(random), random), reference);
    if (!haveScoresDrifted(watch)) continue;
    falseAlarms += 1;
    watch = unwatched(reference);
  }
  for (let i = 1; i <= after; i += 1) {
    watch = watchScore(watch, placed(score(random), random), reference);
    if (haveScoresDrifted(watch)) return { delay: i, falseAlarms };
  }
  return { delay: null, falseAlarms };
}

/** The scores stay as they were and one in ten is wrong by now: only people see it, in the share that they are shown. */
function reviewDelays(runs: number): number[] {
  return Array.from({ length: runs }, (_none, run) => {
    const random = seeded(run * 15_485_863 + 3);
    let watch = unreviewed;
    const look = (wrong: number) => {
      if (random() < auditShare) watch = watchReview(watch, random() >= wrong, 980_000);
      return doReviewsDisagree(watch);
    };
    for (let i = 0; i < before; i += 1) if (look(0.01)) watch = unreviewed;
    for (let i = 1; i <= after; i += 1) if (look(0.1)) return [i];
    return [];
  }).flat();
}

function resultOf(drift: string, delays: readonly number[], runs: number): DriftResult {
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.ceil(share * runs) - 1] ?? null;
  return { drift, caught: Number((delays.length / runs).toFixed(4)), median: at(0.5), p90: at(0.9) };
}
