/** How many may listen, and how they are kept. Times in milliseconds. */
export interface EventLimits {
  readonly mostOfAccount: number;
  readonly most: number;
  /** How often a tenant is looked at while somebody listens. */
  readonly everyMs: number;
  /** How often a stream says that it is alive, and whether whoever listens still may is asked again. */
  readonly beatMs: number;
}

/** What holds where nothing else is set. */
export const usualEvents: EventLimits = { mostOfAccount: 10, most: 1_000, everyMs: 500, beatMs: 15_000 };
