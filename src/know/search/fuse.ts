/** What one leg found, best first, by any name of a passage. */
export interface Ranking<Name> {
  readonly weight: number;
  readonly ranks: readonly Name[];
}

/** How slowly a rank loses its worth: with 60 the first is worth 1/61, the tenth 1/70. */
const k = 60;

/**
 * Joins rankings by weighted reciprocal rank fusion: a passage gets of each leg that found it the weight over 60 plus its rank. Scores
 * of different legs are never mixed. Of equals, the one that an earlier leg ranked higher goes first. A leg of weight 0 counts nothing.
 * @example
 * fuse([{ weight: 1, ranks: ["a", "b"] }, { weight: 1, ranks: ["b", "c"] }]); // ["b", "a", "c"]
 */
export function fuse<Name extends string | number>(rankings: readonly Ranking<Name>[]): readonly Name[] {
  const scores = new Map<Name, number>();
  for (const { weight, ranks } of rankings) {
    if (weight <= 0) continue;
    for (const [at, id] of ranks.entries()) scores.set(id, (scores.get(id) ?? 0) + weight / (k + at + 1));
  }
  // Sorting is stable, and a map keeps the order of adding.
  return [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);
}
