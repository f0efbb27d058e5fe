import type { Clock, Deadline, Ids } from "../contract/ports.ts";
import type { Cancel } from "../contract/principal.ts";

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

/** A deadline for tests that waits for nothing: work that is not done when the event loop has come round once is too late. */
export const impatientDeadline: Deadline = {
  within: (ms, work) =>
    new Promise((resolve, reject) => {
      work.then(resolve, reject);
      setImmediate(() => reject(new Error(`not done in one turn of the event loop, which stands for ${ms} ms here`)));
    }),
};

/** Makes a `Cancel` for tests that is cancelled when `fire` is called. */
export function cancelSwitch(): { readonly cancel: Cancel; readonly fire: () => void } {
  const listeners: (() => void)[] = [];
  let isFired = false;
  return {
    cancel: {
      isCancelled: () => isFired,
      onCancel: (listener) => {
        if (isFired) listener();
        else listeners.push(listener);
      },
    },
    fire: () => {
      isFired = true;
      for (const listener of listeners.splice(0)) listener();
    },
  };
}
