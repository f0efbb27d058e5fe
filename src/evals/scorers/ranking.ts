/** Figures of a ranked list against what is relevant. Each is of 0 to 1; `relevant` holds at least one id. */

/** The share of what is relevant that stands among the first `k`. */
export function recallAt(ranked: readonly string[], relevant: readonly string[], k: number): number {
  const first = new Set(ranked.slice(0, k));
  return relevant.filter((id) => first.has(id)).length / relevant.length;
}

/** The share of the first `k` that is relevant; places that nothing was found for count as not relevant. */
export function precisionAt(ranked: readonly string[], relevant: readonly string[], k: number): number {
  return ranked.slice(0, k).filter((id) => relevant.includes(id)).length / k;
}

/** One by the place of the first relevant id, counted from 1; 0 where none was found. The mean of it over cases is MRR. */
export function reciprocalRank(ranked: readonly string[], relevant: readonly string[]): number {
  const place = ranked.findIndex((id) => relevant.includes(id));
  return place === -1 ? 0 : 1 / (place + 1);
}

/**
 * Normalised discounted cumulative gain among the first `k`, with a gain of 1 for what is relevant and a discount of log2(place + 1):
 * Järvelin and Kekäläinen, ACM TOIS 20(4), 2002.
 */
export function ndcgAt(ranked: readonly string[], relevant: readonly string[], k: number): number {
  const gains = ranked.slice(0, k).map((id) => (relevant.includes(id) ? 1 : 0));
  const ideal = Array.from({ length: Math.min(k, relevant.length) }, () => 1);
  return discounted(gains) / discounted(ideal);
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);
}

/** Joins ranked lists place by place, each id where it stands first. */
export function joinRanks(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const places = Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? []));
  return [...new Set(places.flat())];
}
