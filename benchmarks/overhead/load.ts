import { performance } from "node:perf_hooks";
import type { Stand } from "./stand.ts";
import { insertTransactions, quantile, walBetween, walSnapshot } from "./statistics.ts";

/** How many decisions run at once, over how many tenants, for how long. */
export interface Load {
  readonly concurrency: number;
  readonly tenants: number;
  readonly seconds: number;
}

/** What a stretch of decisions took. CPU is this process's: graph, journal, sealer and the loop that drives them, not PostgreSQL. */
export interface LoadResult {
  readonly concurrency: number;
  readonly tenants: number;
  readonly decisions: number;
  readonly perSecond: number;
  readonly cpuMsPerDecision: number;
  /** Transactions that wrote WAL; the sealer's are counted apart. */
  readonly commitsPerDecision: number;
  readonly sealerCommitsPerDecision: number;
  /** The sealer's included. */
  readonly walBytesPerDecision: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Decides under a load, waits until everything is sealed, and reads what it cost from PostgreSQL's statistics. */
export async function runLoad(stand: Stand, { concurrency, tenants, seconds }: Load): Promise<LoadResult> {
  await stand.sealRest();
  const before = await walSnapshot(stand.owner);
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const latencies: number[] = [];
  let started = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - begin < seconds * 1000) {
      const startedAt = performance.now();
      started += 1;
      await stand.decide(started % tenants);
      latencies.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const elapsed = (performance.now() - begin) / 1000;
  await stand.sealRest();
  const { user, system } = process.cpuUsage(cpu);
  const after = await walSnapshot(stand.owner);
  const { walBytes, durableCommits } = walBetween({ before, after });
  const sealerCommits = await insertTransactions(stand.owner, { table: "countersign.seal", before, after });
  const decisions = latencies.length;
  latencies.sort((a, b) => a - b);
  return {
    ...{ concurrency, tenants, decisions, perSecond: decisions / elapsed, cpuMsPerDecision: (user + system) / 1000 / decisions },
    commitsPerDecision: (durableCommits - sealerCommits) / decisions,
    sealerCommitsPerDecision: sealerCommits / decisions,
    walBytesPerDecision: walBytes / decisions,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}
