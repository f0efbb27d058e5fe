/**
 * How far readings agree beyond chance. All of it counts readings of a closed list of words, which stand in their order, from the worst to
 * the best, wherever the order matters.
 */

/** What two readers said of one answer. */
export type Pair = readonly [one: string, other: string];

/** How often the one said the word of a row while the other said that of a column. */
export interface Confusion {
  readonly words: readonly string[];
  readonly counts: readonly (readonly number[])[];
}

/** Counts pairs by the two words of each. Throws a `RangeError` for a word that is not in the list: it was checked where it was read. */
export function confusionOf(pairs: readonly Pair[], words: readonly string[]): Confusion {
  const places = new Map(words.map((word, place) => [word, place]));
  const counts = words.map(() => words.map(() => 0));
  for (const [one, other] of pairs) {
    const row = counts[places.get(one) ?? -1];
    const column = places.get(other) ?? -1;
    if (row === undefined || column === -1) throw new RangeError(`\`${one}\` or \`${other}\` is no word of the list`);
    row[column] = (row[column] ?? 0) + 1;
  }
  return { words, counts };
}

/** The share of pairs in which both said the same; `null` without pairs. */
export function sameShare(pairs: readonly Pair[]): number | null {
  return pairs.length === 0 ? null : pairs.filter(([one, other]) => one === other).length / pairs.length;
}
