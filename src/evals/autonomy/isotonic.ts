/**
 * Two ways from scores to shares that never fall. Isotonic regression by pooling neighbours that fall (Ayer, Brunk, Ewing, Reid and Silverman,
 * Annals of Mathematical Statistics 26, 1955), its blocks joined at their centres (Oron and Flournoy, "Centered isotonic regression", Statistics
 * in Biopharmaceutical Research 9, 2017), for where there is much; the sigmoid of Platt (1999) with his targets, found by Newton's method as
 * Lin, Lin and Weng do (Machine Learning 68, 2007), for where there is little: below about a thousand isotonic regression fits the noise
 * (Niculescu-Mizil and Caruana, ICML 2005).
 */
import type { CalibrationPoint } from "../../contract/calibration.ts";
import type { JudgedScore } from "./thresholds.ts";

interface Block {
  readonly weight: number;
  readonly agreed: number;
  readonly scores: number;
}

/** Fits shares that never fall, as points in parts per million. Throws nothing; no judged decision gives no point. */
export function isotonicPoints(judged: readonly JudgedScore[]): readonly CalibrationPoint[] {
  const blocks: Block[] = [];
  for (const added of byScore(judged)) {
    let block = added;
    for (let before = blocks.at(-1); before !== undefined && share(before) >= share(block); before = blocks.at(-1)) {
      block = {
        weight: before.weight + block.weight,
        agreed: before.agreed + block.agreed,
        scores: before.scores + block.scores,
      };
      blocks.pop();
    }
    blocks.push(block);
  }
  // Nothing that was counted proves a share of none or of all.
  const [least, most] = [1 / (judged.length + 2), 1 - 1 / (judged.length + 2)];
  return rising(
    blocks.map((block) => ({
      scorePpm: Math.round(block.scores / block.weight),
      ppm: Math.round(Math.min(most, Math.max(least, share(block))) * 1_000_000),
    })),
  );
}

/** How many points a sigmoid is drawn by between the lowest and the highest score. */
const sigmoidPoints = 32;

/** Fits a sigmoid, as points in parts per million; a flat line at the share of all where agreement does not rise with the score. */
export function plattPoints(judged: readonly JudgedScore[]): readonly CalibrationPoint[] {
  if (judged.length === 0) return [];
  const scores = judged.map(({ ppm }) => ppm);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const agreed = judged.filter((one) => one.agreed).length;
  const { slope, offset } = sigmoidOf(judged, agreed);
  const at = (score: number) => (slope > 0 ? sigmoid(slope * (score / 1_000_000) + offset) : (agreed + 1) / (judged.length + 2));
  const places =
    low === high ? [low] : Array.from({ length: sigmoidPoints }, (_none, i) => low + ((high - low) * i) / (sigmoidPoints - 1));
  return rising(places.map((score) => ({ scorePpm: Math.round(score), ppm: Math.round(at(score) * 1_000_000) })));
}

function sigmoidOf(judged: readonly JudgedScore[], agreed: number): { readonly slope: number; readonly offset: number } {
  const missed = judged.length - agreed;
  // Platt's targets: as if one more of each had been seen.
  const [yes, no] = [(agreed + 1) / (agreed + 2), 1 / (missed + 2)];
  const rows = judged.map((one) => ({ x: one.ppm / 1_000_000, target: one.agreed ? yes : no }));
  let at = { slope: 0, offset: Math.log((agreed + 1) / (missed + 1)) };
  for (let step = 0; step < 100; step += 1) {
    const next = newtonStep(rows, at);
    const isDone = Math.abs(next.slope - at.slope) < 1e-9 && Math.abs(next.offset - at.offset) < 1e-9;
    at = next;
    if (isDone) break;
  }
  return at;
}

type Row = { readonly x: number; readonly target: number };
type Sigmoid = { readonly slope: number; readonly offset: number };

/** One step downhill, made shorter until it leads down. */
function newtonStep(rows: readonly Row[], at: Sigmoid): Sigmoid {
  let [g1, g2, h11, h12, h22] = [0, 0, 1e-12, 0, 1e-12];
  for (const { x, target } of rows) {
    const p = sigmoid(at.slope * x + at.offset);
    const weight = p * (1 - p);
    g1 += (p - target) * x;
    g2 += p - target;
    h11 += weight * x * x;
    h12 += weight * x;
    h22 += weight;
  }
  const determinant = h11 * h22 - h12 * h12;
  if (determinant <= 0) return at;
  const [d1, d2] = [(h22 * g1 - h12 * g2) / determinant, (h11 * g2 - h12 * g1) / determinant];
  const now = lossOf(rows, at);
  for (let size = 1; size > 1e-10; size /= 2) {
    const next = { slope: at.slope - size * d1, offset: at.offset - size * d2 };
    if (lossOf(rows, next) <= now - 1e-4 * size * (g1 * d1 + g2 * d2)) return next;
  }
  return at;
}

function lossOf(rows: readonly Row[], { slope, offset }: Sigmoid): number {
  // log(1 + exp(z)) without overflow.
  return rows.reduce((sum, { x, target }) => {
    const z = slope * x + offset;
    return sum + Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))) - target * z;
  }, 0);
}

function sigmoid(z: number): number {
  return z >= 0 ? 1 / (1 + Math.exp(-z)) : Math.exp(z) / (1 + Math.exp(z));
}

/** The judged decisions of each score, from the lowest on. */
function byScore(judged: readonly JudgedScore[]): readonly Block[] {
  const found = new Map<number, { weight: number; agreed: number }>();
  for (const { ppm, agreed } of judged) {
    const known = found.get(ppm) ?? { weight: 0, agreed: 0 };
    found.set(ppm, { weight: known.weight + 1, agreed: known.agreed + Number(agreed) });
  }
  return [...found].sort(([one], [other]) => one - other).map(([score, of]) => ({ ...of, scores: score * of.weight }));
}

function share({ agreed, weight }: Block): number {
  return agreed / weight;
}

/** After rounding, one point of each score, and no share below the one before. */
function rising(points: readonly CalibrationPoint[]): readonly CalibrationPoint[] {
  const kept: CalibrationPoint[] = [];
  for (const point of points) {
    const before = kept.at(-1);
    if (before?.scorePpm === point.scorePpm) kept.pop();
    kept.push({ scorePpm: point.scorePpm, ppm: Math.max(point.ppm, before?.ppm ?? 0) });
  }
  return kept;
}
