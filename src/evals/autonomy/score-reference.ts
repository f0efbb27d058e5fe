import type { ScoreReference } from "../../contract/autonomy.ts";

/** Fewer say too little of how confidences are usually spread. */
const leastForReference = 100;
/** Each stretch holds about this many, and there are no more stretches than this between the lowest and the highest. */
const usualInStretch = 50;
const mostStretches = 10;

/**
 * How confidences were spread, in stretches that hold about as many each; `null` where there are too few to say. `scores` are in an order
 * without equals (`orderedScore`). Every cut is one of them, so that each stretch holds whole gaps between neighbours.
 */
export function scoreReference(scores: readonly number[]): ScoreReference | null {
  if (scores.length < leastForReference) return null;
  const sorted = scores.toSorted((one, other) => one - other);
  const stretches = Math.min(mostStretches, Math.floor(scores.length / usualInStretch));
  const last = sorted.length - 1;
  // Below the lowest and above the highest there was nothing: one gap each, and what comes there is news.
  const ranks = Array.from({ length: stretches + 1 }, (_none, i) => Math.round((i * last) / stretches));
  return {
    cuts: ranks.map((rank) => sorted[rank] ?? 0),
    gaps: [1, ...ranks.slice(1).map((rank, i) => rank - (ranks[i] ?? 0)), 1],
  };
}
