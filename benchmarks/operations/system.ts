/** What every measured system is asked for, so that one loop measures all of them the same way. */

/** What the processes of a stage did since they began. */
export interface Told {
  /** CPU of the workers, in milliseconds; not of the server and not of what fills or invokes. */
  readonly cpuMs: number;
  /** How often the first step reached its target, all workers together. */
  readonly applied: number;
}

/** What a server used up to now; `null` where it has no such figure. */
export interface ServerUse {
  /** All processes of the server, in milliseconds; `null` where the system has no `/proc`. */
  readonly cpuMs: number | null;
  readonly walBytes: number | null;
  readonly durableCommits: number | null;
}

/** One empty store with a number of workers on it, warm and idle until something is opened. Close it. */
export interface Stage {
  /** Makes ready what is no part of the comparison. */
  readonly prepare: (count: number) => Promise<void>;
  /** Writes the work of so many operations, not visible to the workers yet. */
  readonly fill: (count: number) => Promise<void>;
  /** Makes what was filled visible; resolves when the workers can see it. */
  readonly open: () => Promise<void>;
  /** How many operations are done, durably, of all that were opened. */
  readonly done: () => Promise<number>;
  /** Resolves when everything that follows of what is done is written too. */
  readonly settle: () => Promise<void>;
  readonly told: () => Promise<Told>;
  readonly use: () => Promise<ServerUse>;
  /** Throws unless all that was opened, `total` operations, was truly carried out. */
  readonly check: (total: number) => Promise<void>;
  /** What stands in the way, for the message when the work does not come to its end. */
  readonly trouble: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/** A system in the comparison. Holds servers; close it. */
export interface System {
  readonly name: string;
  readonly version: string;
  /** How it was set up, for whoever reads the figures. */
  readonly setUp: string;
  readonly openStage: (workers: number) => Promise<Stage>;
  readonly close: () => Promise<void>;
}
