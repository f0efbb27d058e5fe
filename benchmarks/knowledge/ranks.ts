/** How well a list of what was found, best first, holds what was wanted. All from 0 to 1. */
export interface RankScore {
  readonly at5: number;
  readonly at10: number;
  readonly at20: number;
  /** One over the rank of the first that was wanted; 0 where none was found. */
  readonly reciprocalRank: number;
  /** Normalised discounted cumulative gain of the first ten. */
  readonly ndcg10: number;
}

/** Scores one list. Throws nothing for an empty `wanted`; there is nothing to find then, and all is 0. */
export function scoreRanks(found: readonly string[], wanted: readonly string[]): RankScore {
  const gold = new Set(wanted);
  const order = [...new Set(found)];
  const recall = (limit: number) => (gold.size === 0 ? 0 : order.slice(0, limit).filter((id) => gold.has(id)).length / gold.size);
  const first = order.findIndex((id) => gold.has(id));
  const gain = order.slice(0, 10).reduce((sum, id, at) => sum + (gold.has(id) ? 1 / Math.log2(at + 2) : 0), 0);
  const most = Array.from({ length: Math.min(10, gold.size) }, (_, at) => 1 / Math.log2(at + 2)).reduce(
    (sum, one) => sum + one,
    0,
  );
  return {
    ...{ at5: recall(5), at10: recall(10), at20: recall(20) },
    ...{ reciprocalRank: first < 0 ? 0 : 1 / (first + 1), ndcg10: most === 0 ? 0 : gain / most },
  };
}

/** Means over lists, of 100; `null` where there is none. */
export function meanRanks(scores: readonly RankScore[]): RankScore | null {
  if (scores.length === 0) return null;
  const mean = (of: (score: RankScore) => number) =>
    Math.round((1_000 * scores.reduce((sum, score) => sum + of(score), 0)) / scores.length) / 10;
  return {
    ...{ at5: mean(({ at5 }) => at5), at10: mean(({ at10 }) => at10), at20: mean(({ at20 }) => at20) },
    ...{ reciprocalRank: mean(({ reciprocalRank }) => reciprocalRank), ndcg10: mean(({ ndcg10 }) => ndcg10) },
  };
}
