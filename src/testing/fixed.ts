import type { Clock, Ids } from "../contract/ports.ts";

/** A clock that stands where it is set, in milliseconds since the epoch; both readings move together. */
export interface FixedClock extends Clock {
  readonly advance: (ms: number) => void;
}

/** Makes a clock for tests that moves only when it is told to. */
export function fixedClock(start: number): FixedClock {
  let ms = start;
  return {
    now: () => ms,
    monotonic: () => ms,
    advance: (by) => {
      ms += by;
    },
  };
}

/** Makes ids for tests that count up, in the form of UUIDs. */
export function countingIds(prefix = 0): Ids {
  let count = 0;
  return {
    next: () => {
      count += 1;
      return `${prefix.toString(16).padStart(8, "0")}-0000-7000-8000-${count.toString(16).padStart(12, "0")}`;
    },
  };
}
