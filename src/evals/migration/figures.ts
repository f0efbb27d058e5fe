import type { WalkFigures } from "../../contract/migration.ts";
import { percentile } from "../statistics/percentile.ts";

/** What walks took: times as percentiles in milliseconds, cost in millionths of a currency unit and tokens by kind as sums. */
export interface FigureSummary extends Omit<WalkFigures, "ms"> {
  readonly walks: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Sums and percentiles (nearest rank) over walks; all 0 over none. */
export function summaryOf(walks: readonly WalkFigures[]): FigureSummary {
  const times = walks.map(({ ms }) => ms);
  const at = (part: number) => percentile(times, part) ?? 0;
  const sum = (of: (figures: WalkFigures) => number) => walks.reduce((total, one) => total + of(one), 0);
  return {
    ...{ walks: walks.length, p50Ms: at(0.5), p95Ms: at(0.95) },
    costMicros: sum(({ costMicros }) => costMicros),
    requests: sum(({ requests }) => requests),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedTokens: sum(({ cachedTokens }) => cachedTokens),
    cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    reasoningTokens: sum(({ reasoningTokens }) => reasoningTokens),
  };
}
