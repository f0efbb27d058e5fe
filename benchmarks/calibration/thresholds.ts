import { composedPpm } from "../../src/contract/calibration.ts";
import { seeded } from "../../src/contract/seeded.ts";
import { fitCalibration } from "../../src/evals/autonomy/fit-calibration.ts";
import { findThreshold } from "../../src/evals/autonomy/thresholds.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import type { Shape, Truth } from "./shapes.ts";

/** How one shape came out over all runs. */
export interface ShapeResult {
  readonly shape: string;
  /** Share of runs in which the true error among what would go `auto` is within the bound; none proposed is within it. */
  readonly held: number;
  /** Mean share of what an oracle would let through that knows how likely each is wrong; `null` where it would let nothing through. */
  readonly reach: number | null;
  /** Share of runs in which a threshold was proposed. */
  readonly proposed: number;
  /** Share of the traffic that the oracle lets through. */
  readonly oracle: number;
}

/** How finely the whole traffic of a shape is looked at for its truth. */
const places = 8_000;

/** Runs one shape: so many decisions are judged in each run, and what is proposed is compared with the truth. */
export function runShape(
  shape: Shape,
  { runs, decisions, bound }: { runs: number; decisions: number; bound: number },
): ShapeResult {
  const whole = Array.from({ length: places }, (_none, i) => shape.at((i + 0.5) / places));
  const oracle = oracleShare(whole, bound);
  let [held, reached, proposed] = [0, 0, 0];
  for (let run = 0; run < runs; run += 1) {
    const auto = letThrough(shape, { whole, decisions, bound, random: seeded(run * 7_919 + 17) });
    if (auto !== null) proposed += 1;
    if (auto === null || auto.wrong <= bound) held += 1;
    reached += auto === null || oracle === 0 ? 0 : auto.share / oracle;
  }
  const share = (count: number) => Number((count / runs).toFixed(4));
  return { shape: shape.name, held: share(held), reach: oracle === 0 ? null : share(reached), proposed: share(proposed), oracle };
}

/** What would go `auto` by the threshold of one run: its share of the whole traffic, and how much of it is wrong. */
function letThrough(
  shape: Shape,
  { whole, decisions, bound, random }: { whole: readonly Truth[]; decisions: number; bound: number; random: () => number },
): { readonly share: number; readonly wrong: number } | null {
  const { misses, rejects } = shape.reviewer ?? { misses: 0, rejects: 0 };
  const judged = Array.from({ length: decisions }, () => {
    const { signals, wrong } = shape.at(random());
    const isWrong = random() < wrong;
    return { signals, agreed: isWrong ? random() < misses : random() >= rejects };
  });
  const evidence = { basis: "0".repeat(64), from: 0, until: 0 };
  const first = Math.floor(decisions / 4);
  const calibration =
    shape.isCalibrated === undefined
      ? undefined
      : fitCalibration({ capability: "simulated", evidence, judged: judged.slice(0, first), digest: sha256Digest });
  const proving = calibration === undefined ? judged : judged.slice(first);
  const scored = proving.map(({ signals, agreed }) => ({ ppm: composedPpm(signals, calibration), agreed }));
  const found = findThreshold({ judged: scored, barPpm: Math.round((1 - bound) * 1_000_000) });
  if (found.kind !== "proposed") return null;
  const auto = whole.filter(({ signals }) => composedPpm(signals, calibration) >= found.thresholdPpm);
  return { share: auto.length / whole.length, wrong: meanWrong(auto) };
}

/** The largest share of the traffic, the surest first, of which no more than the bound is wrong. */
function oracleShare(whole: readonly Truth[], bound: number): number {
  const surest = whole.map(({ wrong }) => wrong).sort((one, other) => one - other);
  let [sum, best] = [0, 0];
  for (const [i, wrong] of surest.entries()) {
    sum += wrong;
    if (sum / (i + 1) <= bound) best = i + 1;
  }
  return Number((best / whole.length).toFixed(4));
}

function meanWrong(some: readonly Truth[]): number {
  return some.length === 0 ? 0 : some.reduce((sum, { wrong }) => sum + wrong, 0) / some.length;
}
