/**
 * What does a decision cost? Twelve nodes, an instant scripted provider and the durable ledger, against LangGraph.js with its
 * Postgres checkpointer and against the raw rate of the same rows, interleaved over several rounds on one machine.
 * Disks and neighbours change absolute figures many times over; ratios of one run are what the bars hold.
 */

import { type PolicyCost, policyCost } from "../policy/policy.ts";
import { type Bar, barsOf, type PeerRate } from "./bars.ts";
import { type Load, type LoadResult, runLoad } from "./load.ts";
import { type Peer, startPeer } from "./peer.ts";
import { provenanceCost } from "./provenance.ts";
import { measureRaw, type RawRates } from "./raw.ts";
import { openStand, type Stand } from "./stand.ts";

/** Everything that was measured: of each load the round of median rate, and the bars. */
export interface OverheadReport {
  readonly name: "overhead";
  readonly rounds: number;
  readonly loads: readonly LoadResult[];
  readonly raw: RawRates;
  readonly peer: {
    readonly name: string;
    readonly version: string;
    readonly checkpointer: string;
    readonly rates: readonly PeerRate[];
  } | null;
  /** On top of the bars and apart from them: CPU a decision, in microseconds, of policy and of provenance. */
  readonly guards: { readonly policy: PolicyCost; readonly provenance: ReturnType<typeof provenanceCost> };
  readonly bars: readonly Bar[];
}

const rounds = 3;
const seconds = 1.5;
const warmUpSeconds = 8;
const rawSeconds = 1;
const loads: readonly Load[] = [1, 8].flatMap((tenants) =>
  [1, 8, 64, 256].map((concurrency) => ({ concurrency, tenants, seconds })),
);
const peerLoads = [
  { concurrency: 1, runs: 20 },
  { concurrency: 64, runs: 192 },
] as const;

/** Runs the benchmark, telling `notice` where it is; takes about two minutes. */
export async function overhead({ notice }: { notice: (line: string) => void }): Promise<OverheadReport> {
  const stand = await openStand();
  try {
    const peer = await startPeer({ databaseUrl: stand.adminUrl, notice });
    try {
      return await measure({ stand, peer, notice });
    } finally {
      await peer?.stop();
    }
  } finally {
    await stand.close();
  }
}

interface Measuring {
  readonly stand: Stand;
  readonly peer: Peer | null;
  readonly notice: (line: string) => void;
}

async function measure({ stand, peer, notice }: Measuring): Promise<OverheadReport> {
  const guards = { policy: policyCost(), provenance: provenanceCost() };
  const rows = await stand.sampleRows(32);
  await runLoad(stand, { concurrency: 64, tenants: 8, seconds: warmUpSeconds });
  const ours: LoadResult[][] = [];
  const theirs: PeerRate[][] = [];
  const raw: RawRates[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    notice(`round ${round} of ${rounds}`);
    ours.push(await inTurn(loads, (load) => runLoad(stand, load)));
    if (peer !== null) theirs.push(await inTurn(peerLoads, (load) => runPeer(peer, load)));
    raw.push(await measureRaw({ databaseUrl: stand.adminUrl, rows, seconds: rawSeconds }));
  }
  const medians = loads.map((_, i) =>
    median(
      ours.map((round) => round[i]),
      ({ perSecond }) => perSecond,
    ),
  );
  const rates =
    peer === null
      ? []
      : peerLoads.map((_, i) =>
          median(
            theirs.map((round) => round[i]),
            ({ perSecond }) => perSecond,
          ),
        );
  const rawMedian = median(raw, ({ group64PerSecond }) => group64PerSecond);
  return {
    name: "overhead",
    rounds,
    loads: medians,
    raw: rawMedian,
    peer: peer === null ? null : { name: peer.name, version: peer.version, checkpointer: peer.checkpointer, rates },
    guards,
    bars: barsOf({ loads: medians, raw: rawMedian, rates }),
  };
}

async function runPeer(peer: Peer, load: { concurrency: number; runs: number }): Promise<PeerRate> {
  const { runs, seconds: took, cpuMs } = await peer.run(load);
  return { concurrency: load.concurrency, perSecond: runs / took, cpuMsPerRun: cpuMs / runs };
}

async function inTurn<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

function median<T>(values: readonly (T | undefined)[], by: (value: T) => number): T {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => by(a) - by(b));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new RangeError("a median of nothing was asked for");
  return middle;
}
