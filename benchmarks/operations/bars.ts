import type { Stretch } from "./stretch.ts";

/** A bar: what was measured, what it is held against, and whether it holds; `null` where a system could not be measured. */
export interface Bar {
  readonly name: string;
  readonly value: number | null;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly holds: boolean | null;
}

/** Holds our best number of workers against the best of each peer. */
export function barsOf(best: (system: string) => Stretch | null): readonly Bar[] {
  const ours = best("countersign");
  const times = (peer: string): number | null => {
    const theirs = best(peer);
    return ours === null || theirs === null ? null : ours.perSecond / theirs.perSecond;
  };
  return [
    atLeast("times the rate of DBOS, each at its best", times("dbos"), 5),
    atLeast("times the rate of Restate, each at its best", times("restate"), 5),
    atLeast("times the rate of pg-boss alone on two queues, each at its best", times("pg-boss"), 1.5),
    atMost("WAL bytes an operation, workers and sealers", ours?.walBytesPerOperation ?? null, 8 * 1024),
  ];
}

function atMost(name: string, value: number | null, bar: number): Bar {
  return { name, value, atMost: bar, holds: value === null ? null : value <= bar };
}

function atLeast(name: string, value: number | null, bar: number): Bar {
  return { name, value, atLeast: bar, holds: value === null ? null : value >= bar };
}
