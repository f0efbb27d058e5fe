/** How often something may happen, in the long run and all at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Token buckets by name: each holds `burst` tokens at most and gets `perSecond` more a second. */
export interface Buckets {
  /** How long until there is a token, in milliseconds; 0 where there is one. Takes none. */
  readonly wait: (name: string) => number;
  /** Takes a token, or says how long until there is one, in milliseconds. */
  readonly take: (name: string) => number;
}

const mostBuckets = 10_000;

/** Makes an empty set of buckets. A full bucket is forgotten first; where there are too many, the one that was touched longest ago. */
export function createBuckets({ perSecond, burst }: Rate, now: () => number): Buckets {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const tokensOf = (name: string): number => {
    const known = buckets.get(name);
    return known === undefined ? burst : Math.min(burst, known.tokens + ((now() - known.at) / 1000) * perSecond);
  };
  const waitFor = (tokens: number): number => (tokens >= 1 ? 0 : Math.max(1, ((1 - tokens) / perSecond) * 1000));
  return {
    wait: (name) => waitFor(tokensOf(name)),
    take: (name) => {
      const tokens = tokensOf(name);
      const waitMs = waitFor(tokens);
      // A map keeps the order in which its keys came, so what is touched goes to the end.
      buckets.delete(name);
      makeRoom(buckets, (one) => tokensOf(one) >= burst);
      buckets.set(name, { tokens: waitMs === 0 ? tokens - 1 : tokens, at: now() });
      return waitMs;
    },
  };
}

function makeRoom(buckets: Map<string, unknown>, isFull: (name: string) => boolean): void {
  for (const name of buckets.keys()) {
    if (buckets.size < mostBuckets && !isFull(name)) return;
    buckets.delete(name);
  }
}
