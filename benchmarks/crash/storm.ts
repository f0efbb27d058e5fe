/** Strikes processes at random, and at marked moments: when a call of theirs has just arrived somewhere. */
import { setTimeout as wait } from "node:timers/promises";
import { pace, type Role, roles, type Victim } from "./plan.ts";
import type { Member, Pool } from "./pool.ts";
import type { Server } from "./server.ts";
import { type Mark, marks, type Target } from "./target.ts";

/** How often each was struck. */
export type Blows = Record<Victim, number>;

/** A storm that rages until it is ended. */
export interface Storm {
  readonly kills: Readonly<Blows>;
  readonly pauses: Readonly<Blows>;
  /** Of the kills of workers those at a mark. */
  readonly marked: Readonly<Record<Mark, number>>;
  /** Tells that a request goes out to the processes of these names. */
  readonly passing: (slots: readonly string[]) => void;
  /** Ends it; what was paused goes on, and what was killed is back. */
  readonly end: () => Promise<void>;
}

/** What a storm strikes. */
export interface Exposed {
  readonly pools: Readonly<Record<Role, Pool>>;
  readonly server: Server;
  readonly target: Target;
}

/** How long a blow waits for its moment before it falls anyhow, in milliseconds: for a call at the target, for a request. */
const markMs = 1_500;
const momentMs = 400;
/** The longest from a request's start to the blow that is meant for it, in milliseconds. */
const reachMs = 40;
/** How many of a role must be at work before one of them is struck. */
const leastWell: Readonly<Record<Role, number>> = { worker: 2, decider: 2, desk: 2 };
/** Blows that fall before there is anything to count. */
const firstBlows = 5;

/** Starts a storm. Where it does not pause anything, all its blows are kills. */
export function startStorm(
  exposed: Exposed,
  { pauses: mayPause, operations }: { pauses: boolean; operations: () => number },
): Storm {
  const storm = {
    exposed,
    kills: noBlows(),
    pauses: noBlows(),
    marked: { arrived: 0, applied: 0, read: 0 },
    waiting: new Map<string, () => void>(),
    under: new Set<Promise<unknown>>(),
    isServerDown: false,
  };
  const ending = new AbortController();
  const raging = rage(storm, { mayPause, operations, signal: ending.signal });
  return {
    kills: storm.kills,
    pauses: storm.pauses,
    marked: storm.marked,
    passing(slots) {
      for (const slot of slots) storm.waiting.get(slot)?.();
    },
    async end() {
      ending.abort();
      await raging;
      await Promise.all(storm.under);
      await Promise.all(Object.values(exposed.pools).map((pool) => pool.ready()));
    },
  };
}

interface Raging {
  readonly exposed: Exposed;
  readonly kills: Blows;
  readonly pauses: Blows;
  readonly marked: Record<Mark, number>;
  /** Who waits for the next request to a process, by the name of its slot. */
  readonly waiting: Map<string, () => void>;
  /** What goes on beside: pauses, and the server's recovery. */
  readonly under: Set<Promise<unknown>>;
  isServerDown: boolean;
}

async function rage(
  storm: Raging,
  { mayPause, operations, signal }: { mayPause: boolean; operations: () => number; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await wait(pace.blowMs * (0.4 + 1.2 * Math.random()), undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const kills = sumOf(storm.kills);
    if (kills + sumOf(storm.pauses) > firstBlows + operations() * pace.blowsPerOperation) continue;
    const victim = draw();
    const isPause = mayPause && Math.random() < pace.pausing;
    if (!isPause && kills > firstBlows + operations() * pace.killsPerOperation) continue;
    if (victim === "server") strikeServer(storm, isPause);
    else await strikeOne(storm, { role: victim, isPause });
  }
}

function draw(): Victim {
  const all = Object.entries(pace.weights) as [Victim, number][]; // the keys of a literal
  let left = Math.random() * all.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [victim, weight] of all) {
    left -= weight;
    if (left < 0) return victim;
  }
  return "worker";
}

/** One process at a time; the storm waits for its moment. */
async function strikeOne(storm: Raging, { role, isPause }: { role: Role; isPause: boolean }): Promise<void> {
  const pool = storm.exposed.pools[role];
  if (!mayStrike(pool, { role, isPause })) return;
  const struck = role === "worker" ? await workerAtMark(storm, pool) : await serverOfRequest(storm, pool);
  if (struck === null) return;
  if (isPause) return pauseFor(storm, { role, pool, pid: struck.pid });
  if (!pool.kill(struck.pid)) return;
  storm.kills[role] += 1;
  if (struck.mark !== null) storm.marked[struck.mark] += 1;
  if (Math.random() < pace.together) killAnother(storm);
}

/** Somebody dies with the one that was just struck, whatever it is at. */
function killAnother({ exposed, kills }: Raging): void {
  const role = oneOf(roles);
  if (role === undefined) return;
  const pool = exposed.pools[role];
  const other = mayStrike(pool, { role, isPause: false }) ? anyOf(pool) : null;
  if (other !== null && pool.kill(other.pid)) kills[role] += 1;
}

/** With nobody standing by, the next one would be long in coming, and with others gone nothing would be under way to be struck. */
function mayStrike(pool: Pool, { role, isPause }: { role: Role; isPause: boolean }): boolean {
  const well = pool.members().filter(({ isReady, isPaused: isAsleep }) => isReady && !isAsleep).length;
  return well >= leastWell[role] && (isPause || pool.standingBy() > 0);
}

interface Struck {
  readonly pid: number;
  readonly mark: Mark | null;
}

/** Most workers fall while a call of theirs is at the target; a read is the last thing before a send, so some time may pass after it. */
async function workerAtMark({ exposed }: Raging, pool: Pool): Promise<Struck | null> {
  if (Math.random() < 0.6) {
    const mark = oneOf(marks) ?? "arrived";
    const pid = await exposed.target.next(mark, markMs);
    if (mark === "read") await wait(Math.random() * 15);
    if (pid !== null && pool.members().some((member) => member.pid === pid)) return { pid, mark };
  }
  return anyOf(pool);
}

/** Deciders and desks fall soon after a request has gone out to them. */
async function serverOfRequest({ waiting }: Raging, pool: Pool): Promise<Struck | null> {
  const struck = anyOf(pool);
  const slot = pool.members().find(({ pid }) => pid === struck?.pid)?.slot.name;
  if (struck === null || slot === undefined) return null;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, momentMs);
    waiting.set(slot, () => {
      clearTimeout(timer);
      setTimeout(resolve, Math.random() * reachMs);
    });
  });
  waiting.delete(slot);
  return struck;
}

/** Mostly one that works: one that is still starting has little to lose. */
function anyOf(pool: Pool): Struck | null {
  const all = pool.members();
  const ready = all.filter(({ isReady }) => isReady);
  const member: Member | undefined = oneOf(Math.random() < 0.95 ? ready : all);
  return member === undefined ? null : { pid: member.pid, mark: null };
}

/** Half of the pauses are short, half longer than a lease. */
function pauseFor(storm: Raging, { role, pool, pid }: { role: Role; pool: Pool; pid: number }): void {
  if (!pool.pause(pid)) return;
  storm.pauses[role] += 1;
  beside(
    storm,
    wait(pauseMs()).then(() => pool.resume(pid)),
  );
}

function strikeServer(storm: Raging, isPause: boolean): void {
  const { server: deaths, ...others } = storm.kills;
  const isOften = deaths > 1 + pace.serverShare * Object.values(others).reduce((total, one) => total + one, 0);
  if (storm.isServerDown || (isOften && !isPause)) return;
  storm.isServerDown = true;
  const { server } = storm.exposed;
  const blow = async (): Promise<void> => {
    try {
      if (isPause && (await server.pause(Math.min(2_500, pauseMs())))) storm.pauses.server += 1;
      if (!isPause && (await server.kill())) storm.kills.server += 1;
    } finally {
      storm.isServerDown = false;
    }
  };
  beside(storm, blow());
}

function beside({ under }: Raging, work: Promise<unknown>): void {
  under.add(work);
  void work.finally(() => under.delete(work));
}

function pauseMs(): number {
  return Math.random() < 0.5 ? 80 + Math.random() * 800 : 900 + Math.random() * 4_500;
}

/** All blows of one sort. */
export function sumOf(blows: Readonly<Blows>): number {
  return Object.values(blows).reduce((total, one) => total + one, 0);
}

function noBlows(): Blows {
  return { worker: 0, decider: 0, desk: 0, server: 0 };
}

/** One at random; nothing where there is none. */
export function oneOf<T>(items: readonly T[]): T | undefined {
  return items[Math.floor(Math.random() * items.length)];
}
