/** The value that a part of the values, 0 to 1, does not exceed, by the nearest rank: always one of them; `null` of none. */
export function percentile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null;
}
