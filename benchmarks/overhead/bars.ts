import type { LoadResult } from "./load.ts";
import type { RawRates } from "./raw.ts";

/** What the peer reached at one concurrency. */
export interface PeerRate {
  readonly concurrency: number;
  readonly perSecond: number;
  readonly cpuMsPerRun: number;
}

/** A bar: what was measured, what it is held against, and whether it holds; `null` where the peer was not there. */
export interface Bar {
  readonly name: string;
  readonly value: number | null;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly holds: boolean | null;
}

/** Holds the figures of one run against the bars, all at one tenant. */
export function barsOf({
  loads,
  raw,
  rates,
}: {
  loads: readonly LoadResult[];
  raw: RawRates;
  rates: readonly PeerRate[];
}): readonly Bar[] {
  const at = (concurrency: number) => loads.find((one) => one.concurrency === concurrency && one.tenants === 1);
  const peerAt = (concurrency: number) => rates.find((one) => one.concurrency === concurrency);
  const ratio = (concurrency: number, to: number | undefined): number | null => {
    const ours = at(concurrency)?.perSecond;
    return ours === undefined || to === undefined ? null : ours / to;
  };
  return [
    atMost("durable commits a decision at 1, without the sealer's", at(1)?.commitsPerDecision ?? null, 2),
    atMost("WAL bytes a decision at 64, with the sealer's", at(64)?.walBytesPerDecision ?? null, 10 * 1024),
    atMost("own CPU in ms a decision at 64, with the sealer's", at(64)?.cpuMsPerDecision ?? null, 0.25),
    atLeast("times the peer's rate at 1", ratio(1, peerAt(1)?.perSecond), 7),
    atLeast("times the peer's rate at 64", ratio(64, peerAt(64)?.perSecond), 100),
    atLeast("share of the raw rate at 64", ratio(64, raw.group64PerSecond), 0.3),
    atLeast("share of the raw rate at 256", ratio(256, raw.group64PerSecond), 0.5),
  ];
}

function atMost(name: string, value: number | null, bar: number): Bar {
  return { name, value, atMost: bar, holds: value === null ? null : value <= bar };
}

function atLeast(name: string, value: number | null, bar: number): Bar {
  return { name, value, atLeast: bar, holds: value === null ? null : value >= bar };
}
