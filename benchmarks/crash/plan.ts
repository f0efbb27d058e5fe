/** How much, how often and how long: the numbers of a run. */
import type { Dedupe } from "../../src/contract/words.ts";

/** The kinds of target that a run judges: one for each way in which a target helps against doubles. */
export const kinds = ["key", "fence", "conditional", "observe", "none"] as const satisfies readonly Dedupe[];

/** A target of the second control: it can be read and no more, and its effect waits for nothing. */
export const bare = "bare";
/** A target of any kind, that of the control included. */
export const targetKinds = [...kinds, bare] as const;
export type TargetKind = (typeof targetKinds)[number];

/** Which processes die: three halves of the product in several copies, and the database's server. */
export const roles = ["worker", "decider", "desk"] as const;
export type Role = (typeof roles)[number];
export type Victim = Role | "server";

/** Times of the effects and of the workers, in milliseconds. */
export const times = {
  /** How long a worker waits for one call. */
  timeoutMs: 400,
  /** How long after the last possible send "not there" is no proof; longer than a call can be under way at the target. */
  settleMs: 1_000,
  deadlineMs: 25_000,
  /** How long a dead worker's operations stay its own. */
  takeOverMs: 2_500,
  /** The longest that the target keeps a change before it is there. */
  longestMs: 700,
  /** How long after its deadline an operation may still be open before it counts as stuck. */
  slackMs: 30_000,
} as const;

/** The control with neither patience nor a sound lease: both are shorter than the call, which takes from `shortestMs` to `longestMs`. */
export const bareTimes = { timeoutMs: 500, settleMs: 1, takeOverMs: 2_000, shortestMs: 7_000, longestMs: 10_000 } as const;

/** One stretch of a run: its own things, its own faults, and a drain at its end. */
export interface Phase {
  /** `kills`: processes die. `stops`: besides, they are paused and go on. */
  readonly name: "kills" | "stops";
  readonly operations: number;
  readonly kills: number;
  /** Ends the stretch whatever was reached, in milliseconds. */
  readonly mostMs: number;
}

/** A whole run. */
export interface Plan {
  readonly phases: readonly Phase[];
  /** How long each control goes on, in milliseconds. */
  readonly controlMs: number;
  /** The counts are to be reached; a run that was shortened says what it reached. */
  readonly isFull: boolean;
}

/** What a full run must reach; fewer deaths of the server would not do either. */
export const least = { operations: 10_000, kills: 2_000, serverKills: 60 } as const;

/** The full run reaches 10,000 operations and 2,000 kills; with `seconds` the storms and the controls take about that long together. */
export function planOf(seconds: number | null): Plan {
  const mostMs = 75 * 60_000;
  if (seconds === null) {
    const phases: readonly Phase[] = [
      { name: "kills", operations: 6_500, kills: 1_300, mostMs },
      { name: "stops", operations: 3_600, kills: 720, mostMs },
    ];
    return { phases, controlMs: 25_000, isFull: true };
  }
  const share = (part: number): number => Math.round(seconds * 1_000 * part);
  const unbounded = { operations: Number.POSITIVE_INFINITY, kills: Number.POSITIVE_INFINITY };
  const phases: readonly Phase[] = [
    { name: "kills", ...unbounded, mostMs: share(0.45) },
    { name: "stops", ...unbounded, mostMs: share(0.3) },
  ];
  return { phases, controlMs: Math.max(8_000, share(0.125)), isFull: false };
}

/** How the storm strikes. */
export const pace = {
  /** Mean time from one blow to the next, in milliseconds. */
  blowMs: 180,
  /** The share of kills with which another process dies at the same moment, as where a machine goes down. */
  together: 0.3,
  /** Most operations that are begun for each kill, so that all of a run is under fire. */
  operationsPerKill: 5.2,
  /** Most kills for each operation: who dies costs more than what is asked for. */
  killsPerOperation: 0.21,
  /** Most blows for each operation: a machine that is slow to start processes would come to nothing else. */
  blowsPerOperation: 0.5,
  /** The largest share of the server in the kills: each death of it stops everybody else for a second. */
  serverShare: 0.035,
  /** Operations and approvals that may be open before more is asked for. */
  mostOpen: 160,
  /** Lanes of the clients. */
  lanes: 12,
  /** Of a hundred blows, how many hit whom. */
  weights: { worker: 63, decider: 15, desk: 14, server: 8 },
  /** The share of blows that pause instead of killing, in the stretch with pauses. */
  pausing: 0.45,
} as const satisfies { readonly weights: Readonly<Record<Victim, number>> } & Readonly<Record<string, unknown>>;
