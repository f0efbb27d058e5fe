import type { Budget } from "./budget.ts";

/** By what a report adds up. */
export const spendGroups = ["capability", "model", "day", "outcome", "tenant", "purpose"] as const;
export type SpendGroup = (typeof spendGroups)[number];

/** One line of a report. */
export interface SpendLine {
  readonly group: string;
  readonly decisions: number;
  /** Requests to models, refused ones included. */
  readonly attempts: number;
  readonly refused: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly costMicros: number;
  /** Of the cost, what was assumed: the provider did not say, or the process died. */
  readonly assumedMicros: number;
}

/** What a month will have cost at its end, if its rest goes as its part until now. */
export interface Forecast {
  readonly month: string;
  readonly spentMicros: number;
  readonly forecastMicros: number;
  /** Of the month, the share that is over, in parts per million: the smaller, the less the forecast says. */
  readonly elapsedPpm: number;
}

/** What a tenant spent: the lines of a range, and a forecast of the month that runs. */
export interface SpendView {
  readonly by: SpendGroup;
  /** The first day and the day after the last, in UTC. */
  readonly from: string;
  readonly before: string;
  readonly totalMicros: number;
  readonly lines: readonly SpendLine[];
  readonly forecast: Forecast;
}

/** A budget of the tenant with what is used of it now. */
export interface BudgetView extends Budget {
  readonly uses: readonly {
    /** Empty for the tenant itself; else a capability, a principal, or the id of a case. */
    readonly subject: string;
    readonly used: number;
    /** Drawn by processes and not used yet. */
    readonly drawn: number;
  }[];
}
