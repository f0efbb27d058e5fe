import { type Confusion, confusionOf, type Pair } from "./count-readings.ts";

/** How far apart two words count: all the same, by their distance, or by its square. */
export type KappaWeights = "none" | "linear" | "quadratic";

/**
 * Cohen's kappa over pairs of readings: agreement beyond what the two readers' own habits would give, 1 at best. `null` where it is not
 * defined: no pairs, or both said one and the same word throughout, of which nothing can be learnt.
 * Sources: Cohen, "A Coefficient of Agreement for Nominal Scales" (1960); weighted: Cohen, "Weighted Kappa" (1968).
 */
export function cohenKappa(pairs: readonly Pair[], words: readonly string[], weights: KappaWeights = "none"): number | null {
  if (pairs.length === 0) return null;
  return kappaOf(confusionOf(pairs, words), weights);
}

/** The same from a table of counts. */
function kappaOf({ words, counts }: Confusion, weights: KappaWeights): number | null {
  const total = counts.flat().reduce((sum, count) => sum + count, 0);
  const rows = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  const columns = words.map((_, column) => counts.reduce((sum, row) => sum + (row[column] ?? 0), 0));
  let [seen, byChance] = [0, 0];
  for (const [row, inRow] of rows.entries()) {
    for (const [column, inColumn] of columns.entries()) {
      const apart = distance(row - column, weights);
      seen += apart * (counts[row]?.[column] ?? 0);
      byChance += (apart * inRow * inColumn) / total;
    }
  }
  return byChance === 0 ? null : 1 - seen / byChance;
}

function distance(apart: number, weights: KappaWeights): number {
  if (weights === "none") return apart === 0 ? 0 : 1;
  return weights === "linear" ? Math.abs(apart) : apart ** 2;
}
