/** How long searches took, in milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
}

/** The middle and the slow end of some times. */
export function spreadOf(ms: readonly number[]): Spread {
  const sorted = [...ms].sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p95: at(0.95) };
}
