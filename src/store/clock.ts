import { performance } from "node:perf_hooks";
import type { Clock } from "../contract/ports.ts";

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
