/** How far apart two words count: `nominal` all the same, `ordinal` by how many readings lie between them. */
export type AlphaMetric = "nominal" | "ordinal" | "interval";

/** What several readers said of one thing; who said nothing is left out. */
export type Unit = readonly string[];

/**
 * Krippendorff's alpha over things that any number of readers read: 1 where all agree, 0 where they agree no more than by chance. `null`
 * where it is not defined: nothing was read twice, or all readings are one and the same word.
 * Source: Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), sections C and D.
 */
export function krippendorffAlpha(
  units: readonly Unit[],
  words: readonly string[],
  metric: AlphaMetric = "nominal",
): number | null {
  const coincidences = coincidencesOf(units, words);
  const totals = coincidences.map((row) => row.reduce((sum, count) => sum + count, 0));
  const all = totals.reduce((sum, count) => sum + count, 0);
  let [seen, byChance] = [0, 0];
  for (const [one, ofOne] of totals.entries()) {
    for (const [other, ofOther] of totals.entries()) {
      const apart = distance({ one, other, totals, metric });
      seen += apart * (coincidences[one]?.[other] ?? 0);
      byChance += (apart * ofOne * ofOther) / (all - 1);
    }
  }
  return byChance === 0 || Number.isNaN(byChance) ? null : 1 - seen / byChance;
}

/** How often two words met in one unit, each unit with the weight of its readings. What was read once meets nothing. */
function coincidencesOf(units: readonly Unit[], words: readonly string[]): readonly (readonly number[])[] {
  const places = new Map(words.map((word, place) => [word, place]));
  const counts = words.map(() => words.map(() => 0));
  for (const unit of units) {
    const read = unit.map((word) => {
      const place = places.get(word);
      if (place === undefined) throw new RangeError(`\`${word}\` is no word of the list`);
      return place;
    });
    for (const [at, one] of read.entries()) {
      for (const [beside, other] of read.entries()) {
        const row = counts[one];
        if (row !== undefined && at !== beside) row[other] = (row[other] ?? 0) + 1 / (read.length - 1);
      }
    }
  }
  return counts;
}

function distance({
  one,
  other,
  totals,
  metric,
}: {
  one: number;
  other: number;
  totals: readonly number[];
  metric: AlphaMetric;
}): number {
  if (one === other) return 0;
  if (metric === "nominal") return 1;
  if (metric === "interval") return (one - other) ** 2;
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  const between = totals.slice(low, high + 1).reduce((sum, count) => sum + count, 0);
  return (between - ((totals[low] ?? 0) + (totals[high] ?? 0)) / 2) ** 2;
}
