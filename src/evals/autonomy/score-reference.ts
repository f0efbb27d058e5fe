import type { ScoreReference } from "../../contract/autonomy.ts";

/** Fewer say too little of how confidences are usually spread. */
const leastForReference = 100;
/** Each stretch holds about this many, and there are no more stretches than this. */
const usualInStretch = 50;
const mostStretches = 10;

/**
 * How confidences were spread, in stretches that hold about as many each; `null` where there are too few to say. Confidences are often the
 * same, so a cut stands only where the next one is another.
 */
export function scoreReference(scores: readonly number[]): ScoreReference | null {
  if (scores.length < leastForReference) return null;
  const sorted = scores.toSorted((one, other) => one - other);
  const stretches = Math.min(mostStretches, Math.floor(scores.length / usualInStretch));
  const cuts = new Set<number>();
  for (let i = 1; i < stretches; i += 1) cuts.add(sorted[Math.floor((i * sorted.length) / stretches)] ?? 0);
  // Below the lowest and above the highest there was nothing: what comes there is news.
  cuts.add(sorted[0] ?? 0);
  cuts.add((sorted.at(-1) ?? 0) + 1);
  const cutsPpm = [...cuts].sort((one, other) => one - other);
  const counts = Array.from({ length: cutsPpm.length + 1 }, (_none, i) => {
    const from = cutsPpm[i - 1] ?? Number.NEGATIVE_INFINITY;
    const before = cutsPpm[i] ?? Number.POSITIVE_INFINITY;
    return sorted.filter((score) => score >= from && score < before).length;
  });
  return { cutsPpm, counts };
}
