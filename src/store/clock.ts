import { performance } from "node:perf_hooks";
import { CountersignError } from "../contract/errors.ts";
import type { Clock, Deadline } from "../contract/ports.ts";

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Time limits by this machine's timers. */
export const systemDeadline: Deadline = {
  within(ms, work) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new CountersignError("internal", `no answer within ${ms} ms`)), ms);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  },
};
