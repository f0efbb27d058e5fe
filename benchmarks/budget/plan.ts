/** What parent and children of the benchmark agree on. */
export interface Plan {
  readonly url: string;
  readonly tenant: string;
  /** Decisions that one process has under way. */
  readonly lanes: number;
  readonly runMicros: number;
  readonly leaseMs: number;
  readonly isMetered: boolean;
  /** Decisions that one process begins at most. */
  readonly mostRuns: number;
}

/** A model that is a script with a price, so that it costs something. */
export const model = {
  ...({ provider: "scripted", id: "paid-2026-01-01", effort: "none", temperature: 0 } as const),
  maxOutputTokens: 500,
};

/** $1 a million tokens in, $10 out. */
export const prices = JSON.stringify({
  version: "bench",
  currency: "USD",
  checked: "2026-01-01",
  prices: [
    {
      model: "scripted/paid-2026-01-01",
      from: "2026-01-01",
      input: 1_000_000,
      cached: 100_000,
      cacheWrite: 1_250_000,
      output: 10_000_000,
    },
  ],
});
