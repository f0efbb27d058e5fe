import type { Route } from "./words.ts";

/** How decisions were routed, by day (UTC, `YYYY-MM-DD`) and capability. */
interface RoutingLine {
  readonly day: string;
  readonly capability: string;
  /** `stopped` where it ended without a route. */
  readonly route: Route | "stopped";
  readonly decisions: number;
}

/** Judged decisions whose confidence lies from `fromPpm` on and below the next bin's, and with how many of them people agreed. */
interface ReliabilityBin {
  readonly fromPpm: number;
  readonly decisions: number;
  readonly agreed: number;
  /** The mean of their confidences. */
  readonly meanPpm: number;
}

/** The routing mix of a range of days, and how far confidence told the truth in it. */
export interface RoutingView {
  /** The first day, and the one after the last. */
  readonly from: string;
  readonly before: string;
  readonly lines: readonly RoutingLine[];
  /** Fewer decisions than the range holds were counted: the newest; then `countedFrom` is when the first of them was begun. */
  readonly isPart: boolean;
  readonly countedFrom: number | null;
  /** Ten bins over the decisions with a confidence that came to an outcome that people or a read judged; empty ones are left out. */
  readonly reliability: readonly ReliabilityBin[];
}
