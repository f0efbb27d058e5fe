/**
 * How many approved operations a second go through apply and verify? Ours from the approval on: verified, reserved, sent to an instant
 * target, seen through a separate read, recorded in the ledger and sealed. Beside it pg-boss on two queues, DBOS and Restate with two
 * instant steps, each on a store of its own with flushes on, in turn on one machine. Rates depend on disk and neighbours; ratios of one
 * run are what the bars hold.
 */
import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { CountersignError, messageOf } from "../../src/contract/errors.ts";
import { installPeers } from "../peers/install.ts";
import { type Bar, barsOf } from "./bars.ts";
import { openCountersign } from "./countersign.ts";
import { type Machine, machineOf } from "./machine.ts";
import { dbos, openPostgresPeer, peersFolder, pgBoss } from "./peers.ts";
import { openRestate } from "./restate.ts";
import { runStretch, type Stretch } from "./stretch.ts";
import type { System } from "./system.ts";

/** What one system reached: every stretch, the median of each number of workers, and the best of these. */
export interface Measured {
  readonly version: string;
  readonly setUp: string;
  readonly best: Stretch;
  readonly medians: readonly Stretch[];
  readonly stretches: readonly Stretch[];
}

/** Everything that was measured. A system that could not be installed, started or brought to its end says why; its bars are `null`. */
export interface OperationsReport {
  readonly bench: "operations";
  readonly rounds: number;
  readonly systems: Readonly<Record<string, Measured | { readonly unavailable: string }>>;
  readonly bars: readonly Bar[];
  readonly machine: Machine;
}

interface Asked {
  /** How long a stretch shall take, in seconds; the number of operations follows from the rate. Without it five. */
  readonly seconds: number | null;
  /** Exactly so many operations a stretch, in one round: for a look, not for a figure. */
  readonly count: number | null;
  readonly notice: (line: string) => void;
}

const workerCounts = [1, 2, 4];
const openers: Readonly<Record<string, () => Promise<System>>> = {
  countersign: async () => openCountersign(await ownVersion()),
  "pg-boss": () => openPostgresPeer(pgBoss),
  dbos: () => openPostgresPeer(dbos),
  restate: openRestate,
};

/** Runs the benchmark; takes several minutes, less with `count` or `seconds`. Throws where our own work is not as it must be. */
export async function operations({ seconds, count, notice }: Asked): Promise<OperationsReport> {
  const rounds = count === null ? 3 : 1;
  const loadBefore = loadavg();
  const hasPeers = await installPeers(peersFolder, notice);
  const found = new Map<string, Found>();
  try {
    for (const [name, open] of Object.entries(openers)) {
      const isThere = name === "countersign" || hasPeers;
      found.set(name, await opened({ name, open: isThere ? open : null, notice }));
    }
    for (let round = 1; round <= rounds; round += 1)
      for (const workers of workerCounts)
        for (const [name, one] of found) {
          await runOne({ name, one, workers, round, seconds: seconds ?? 5, count, notice });
        }
  } finally {
    for (const { system } of found.values()) await system?.close();
  }
  const systems = Object.fromEntries([...found].map(([name, one]) => [name, measuredOf(one)]));
  const best = (name: string): Stretch | null => {
    const one = systems[name];
    return one !== undefined && "best" in one ? one.best : null;
  };
  return { bench: "operations", rounds, systems, bars: barsOf(best), machine: machineOf(loadBefore) };
}

/** A system on its way: what it reached so far, or why it is out. */
interface Found {
  readonly system: System | null;
  readonly stretches: Stretch[];
  unavailable: string | null;
}

async function opened({
  name,
  open,
  notice,
}: {
  name: string;
  open: (() => Promise<System>) | null;
  notice: (line: string) => void;
}): Promise<Found> {
  try {
    if (open !== null) return { system: await open(), stretches: [], unavailable: null };
    throw new CountersignError("service_unavailable", "it could not be installed; see `npm ci --prefix benchmarks/peers`");
  } catch (thrown) {
    if (name === "countersign") throw thrown;
    notice(`${name} could not be started and is left out: ${messageOf(thrown)}`);
    return { system: null, stretches: [], unavailable: messageOf(thrown) };
  }
}

async function runOne({
  name,
  one,
  workers,
  round,
  seconds,
  count,
  notice,
}: Asked & { name: string; one: Found; workers: number; round: number; seconds: number }): Promise<void> {
  if (one.system === null || one.unavailable !== null) return;
  notice(`round ${round}, workers ${workers}: ${name}`);
  const lastRate = one.stretches.findLast((stretch) => stretch.workers === workers)?.perSecond;
  // What has just started is slower than it will be.
  const countFor = (warmRate: number): number => count ?? bounded((lastRate ?? warmRate * 1.5) * seconds);
  const warmUp = count === null ? 2_000 : Math.min(count, 100);
  try {
    one.stretches.push(await runStretch(one.system, { workers, warmUp, count: countFor }));
  } catch (thrown) {
    if (name === "countersign") throw thrown;
    notice(`${name} is left out: ${messageOf(thrown)}`);
    one.unavailable = messageOf(thrown);
  }
}

function bounded(count: number): number {
  return Math.min(50_000, Math.max(200, Math.round(count)));
}

function measuredOf({ system, stretches, unavailable }: Found): OperationsReport["systems"][string] {
  const medians = workerCounts.flatMap((workers) => medianOf(stretches.filter((one) => one.workers === workers)) ?? []);
  const best = medians.toSorted((one, other) => other.perSecond - one.perSecond)[0];
  if (system === null || unavailable !== null || best === undefined)
    return { unavailable: unavailable ?? "nothing was measured" };
  return { version: system.version, setUp: system.setUp, best, medians, stretches };
}

/** The stretch of the middle rate. */
function medianOf(stretches: readonly Stretch[]): Stretch | undefined {
  return stretches.toSorted((one, other) => one.perSecond - other.perSecond)[Math.floor(stretches.length / 2)];
}

async function ownVersion(): Promise<string> {
  const { version }: { version?: unknown } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  return String(version);
}
