import type { ModelFault } from "../contract/model.ts";

/** Never more requests than this for one attempt, however short the pauses come out. */
export const maxSends = 8;

const baseMs = 500;
const longestMs = 8_000;

/** How often a fault may pass by itself, so that the same request is worth sending again; the others end the call. */
const timesAgain: Readonly<Record<ModelFault, number>> = {
  rate_limited: maxSends,
  overloaded: maxSends,
  unreachable: maxSends,
  timed_out: maxSends,
  cut_off: maxSends,
  // A server that answers nonsense twice will do so a third time.
  unusable: 1,
  refused_key: 0,
  refused_request: 0,
  resting: 0,
  over_budget: 0,
  boundary_failed: 0,
  cancelled: 0,
  crashed: 0,
};

/** Says whether a request is worth sending again after these faults, the last one's last. */
export function isWorthSending(faults: readonly ModelFault[]): boolean {
  const last = faults.at(-1);
  if (last === undefined) return true;
  return faults.length < maxSends && faults.filter((fault) => fault === last).length <= timesAgain[last];
}

/**
 * The pause before the next request, in milliseconds: what the provider asked for, and on top a random share of a span that doubles
 * with each request ("full jitter" of M. Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015), so that callers who
 * were turned away together do not come back together. `random` is from 0 to below 1.
 */
export function pauseMs({
  sends,
  retryAfterMs,
  random,
}: {
  sends: number;
  retryAfterMs: number | null;
  random: () => number;
}): number {
  const span = Math.min(longestMs, baseMs * 2 ** (sends - 1));
  return (retryAfterMs ?? 0) + Math.floor(random() * span);
}
