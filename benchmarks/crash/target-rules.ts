/** What the target does with one change, by its kind, and which faults it has. Pure: time and chance are handed in. */
import { bareTimes, kinds, times } from "./plan.ts";
import type { SentChange } from "./project/connectors.ts";

/** A thing as it stands; one that nobody has put stands at version 0. */
export interface Thing {
  readonly value: string;
  readonly version: number;
  /** The highest fence that has changed it, and the highest that was told of. */
  readonly fence: number;
  readonly told: number;
  /** The idempotency keys under which it was changed. */
  readonly keys: readonly string[];
}

/** A thing that nobody has put yet. */
export const untouched: Thing = { value: "-", version: 0, fence: 0, told: 0, keys: [] };

/** What became of a change at the instant at which it is made: done, known from before and so done already, or refused. */
export type Taken = { readonly kind: "applied"; readonly thing: Thing } | { readonly kind: "repeated" | "refused" };

/** Takes a change as a target of its kind does: only the first three kinds help against doubles. */
export function take(thing: Thing, { kind, value, key, fence, expectedVersion }: SentChange): Taken {
  if (kind === "key" && thing.keys.includes(key)) return { kind: "repeated" };
  if (kind === "fence" && (fence <= thing.fence || fence < thing.told)) return { kind: "refused" };
  if (kind === "conditional" && expectedVersion !== String(thing.version)) return { kind: "refused" };
  const next = { ...thing, value, version: thing.version + 1, fence: Math.max(fence, thing.fence), keys: [...thing.keys, key] };
  return { kind: "applied", thing: next };
}

/** How one call goes, in milliseconds: when the change is made after its arrival, and when the caller hears of it after that. */
export interface Fate {
  readonly afterMs: number;
  readonly repliesAfterMs: number;
  readonly isMade: boolean;
  /** What the caller hears: the truth, nothing, or that it failed. */
  readonly answer: "true" | "none" | "failed";
}

/** The faults of the target and how often each comes, per thousand calls; the rest go well. */
const faults = {
  /** Refused before anything was done. */
  refuses: 40,
  /** Done, and the reply is lost. */
  losesReply: 30,
  /** Done, and the reply says that it failed. */
  saysFailed: 30,
  /** Done after the caller has given up. */
  isLate: 30,
  /** Never done and never answered. */
  swallows: 20,
} as const;

/** Draws the fate of a call; `chance` gives numbers from 0 to below 1. */
export function fateOf(kind: SentChange["kind"], chance: () => number): Fate {
  const between = (least: number, most: number): number => Math.round(least + chance() * (most - least));
  // The control is about time alone.
  if (!isJudged(kind)) {
    const { shortestMs, longestMs } = bareTimes;
    const afterMs = kind === "naive" ? between(5, 60) : between(shortestMs, longestMs);
    return { afterMs, repliesAfterMs: between(10, 60), isMade: true, answer: "true" };
  }
  const quick = between(1, 15) + (chance() < 0.2 ? between(10, 150) : 0);
  const repliesAfterMs = between(0, 20);
  let left = chance() * 1_000;
  const falls = (share: number): boolean => {
    left -= share;
    return left < 0;
  };
  if (falls(faults.refuses)) return { repliesAfterMs, afterMs: quick, isMade: false, answer: "failed" };
  if (falls(faults.losesReply)) return { repliesAfterMs, afterMs: quick, isMade: true, answer: "none" };
  if (falls(faults.saysFailed)) return { repliesAfterMs, afterMs: quick, isMade: true, answer: "failed" };
  if (falls(faults.isLate))
    return { repliesAfterMs, afterMs: between(times.timeoutMs + 20, times.longestMs - 100), isMade: true, answer: "true" };
  if (falls(faults.swallows)) return { repliesAfterMs, afterMs: times.longestMs, isMade: false, answer: "none" };
  return { repliesAfterMs, afterMs: quick, isMade: true, answer: "true" };
}

/** The longest that the target keeps a change of a kind before it is made, in milliseconds. */
export function longestMs(kind: SentChange["kind"]): number {
  return isJudged(kind) ? times.longestMs : Number.POSITIVE_INFINITY;
}

/** The share of reads that fail. */
export const failedReads = 0.02;

function isJudged(kind: SentChange["kind"]): boolean {
  return kinds.some((one) => one === kind);
}
