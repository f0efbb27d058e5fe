import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { CountersignError } from "../../src/contract/errors.ts";
import type { ServerUse, Stage, System } from "./system.ts";

/** What one stretch took: from the instant at which the work became visible until all of it was done. Figures are an operation's. */
export interface Stretch {
  readonly workers: number;
  readonly operations: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** With what follows of an operation, such as sealing, and without what the work's own insertion cost. */
  readonly walBytesPerOperation: number | null;
  /** Of the work's own insertion: approvals here, jobs or workflows at peers. */
  readonly fillWalBytesPerOperation: number | null;
  /** Transactions that wrote, sealing included. Commits that share a flush count apart. */
  readonly durableCommitsPerOperation: number | null;
  readonly workerCpuMsPerOperation: number;
  readonly serverCpuMsPerOperation: number | null;
  /** The rate until everything that follows was written too. */
  readonly perSecondSettled: number;
}

/** How often it is asked whether all is done, in milliseconds: towards the end, and at most; asking costs the server too. */
const pollMs = 20;
const longestPollMs = 500;
/** How long nothing may be done before a stretch is given up, in milliseconds. */
const stalledMs = 60_000;

/**
 * Measures one system with a number of workers on a store of its own: a warm-up first, then `count` operations that become visible at
 * once. `count` is chosen by the rate of the warm-up where it is a function. Throws where the work stalls or was not truly done.
 */
export async function runStretch(
  system: System,
  { workers, warmUp, count }: { workers: number; warmUp: number; count: (warmRate: number) => number },
): Promise<Stretch> {
  const stage = await system.openStage(workers);
  try {
    await stage.prepare(warmUp);
    await stage.fill(warmUp);
    const warmSeconds = await passed(stage, warmUp);
    await stage.settle();
    const operations = count(warmUp / warmSeconds);
    const measured = await measure({ stage, warmUp, operations });
    await stage.check(warmUp + operations);
    return { workers, ...measured };
  } finally {
    await stage.close();
  }
}

async function measure({
  stage,
  warmUp,
  operations,
}: {
  stage: Stage;
  warmUp: number;
  operations: number;
}): Promise<Omit<Stretch, "workers">> {
  await stage.prepare(operations);
  const empty = await stage.use();
  await stage.fill(operations);
  const before = { use: await stage.use(), told: await stage.told() };
  const begin = performance.now();
  const seconds = await passed(stage, warmUp + operations);
  await stage.settle();
  const settledSeconds = (performance.now() - begin) / 1000;
  const after = { use: await stage.use(), told: await stage.told() };
  const each = (name: keyof ServerUse, from: ServerUse, to: ServerUse): number | null => {
    const [one, other] = [from[name], to[name]];
    return one === null || other === null ? null : (other - one) / operations;
  };
  return {
    operations,
    seconds,
    perSecond: operations / seconds,
    walBytesPerOperation: each("walBytes", before.use, after.use),
    fillWalBytesPerOperation: each("walBytes", empty, before.use),
    durableCommitsPerOperation: each("durableCommits", before.use, after.use),
    workerCpuMsPerOperation: (after.told.cpuMs - before.told.cpuMs) / operations,
    serverCpuMsPerOperation: each("cpuMs", before.use, after.use),
    perSecondSettled: operations / settledSeconds,
  };
}

/** Opens what was filled and waits until `total` operations are done; returns how long that took, in seconds. */
async function passed(stage: Stage, total: number): Promise<number> {
  const begin = performance.now();
  await stage.open();
  let [done, movedAt] = [-1, begin];
  for (;;) {
    const now = await stage.done();
    const at = performance.now();
    if (now >= total) return (at - begin) / 1000;
    if (now !== done) [done, movedAt] = [now, at];
    if (at - movedAt > stalledMs)
      throw new CountersignError(
        "service_unavailable",
        `${done} of ${total} operations were done, then none: ${await stage.trouble()}`,
      );
    await pause(untilNextMs({ now, total, passedMs: at - begin }));
  }
}

/** A third of the time that the rest will take by the rate so far. */
function untilNextMs({ now, total, passedMs }: { now: number; total: number; passedMs: number }): number {
  if (now === 0) return pollMs;
  const leftMs = (passedMs * (total - now)) / now;
  return Math.min(longestPollMs, Math.max(pollMs, leftMs / 3));
}
