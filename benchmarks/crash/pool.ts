/** Processes of one role: some at work, some loaded and standing by, so that whoever dies is followed at once. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Go } from "./children/stand-by.ts";

/** A place that one process holds at a time, with what its holder is told. */
export interface Slot {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A process at work. */
export interface Member {
  readonly slot: Slot;
  readonly pid: number;
  /** It has said that it works. */
  readonly isReady: boolean;
  readonly isPaused: boolean;
}

/** The processes of one role. Close it, or they end with this process. */
export interface Pool {
  readonly members: () => readonly Member[];
  /** How many have loaded their program and wait. */
  readonly standingBy: () => number;
  /** Kills with SIGKILL; says whether there was such a process. The next one takes its place once it is gone. */
  readonly kill: (pid: number) => boolean;
  /** Pauses with SIGSTOP, and lets go on with SIGCONT; says whether there was such a process. */
  readonly pause: (pid: number) => boolean;
  readonly resume: (pid: number) => void;
  /** Waits until every slot has a process that works. Throws where one does not come to it within three minutes. */
  readonly ready: () => Promise<void>;
  /** How many ended by themselves. */
  readonly ownEnds: () => number;
  readonly close: () => Promise<void>;
}

interface Held extends Member {
  readonly child: ChildProcess;
  isReady: boolean;
  isPaused: boolean;
  isStruck: boolean;
}

interface Spare {
  readonly child: ChildProcess;
  isLoaded: boolean;
}

/** What a pool is made from. */
export interface PoolParts {
  readonly program: string;
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
  readonly slots: readonly Slot[];
  readonly spares: number;
  /** Where the processes' own logs go. */
  readonly directory: string;
}

const largestLogBytes = 16 * 1024 * 1024;
const patienceMs = 180_000;

/** Starts the processes. */
export function createPool(parts: PoolParts): Pool {
  const crew = raise(parts);
  const { held, spares } = crew;
  return {
    members: () => [...held.values()],
    standingBy: () => spares.filter(({ isLoaded }) => isLoaded).length,
    kill(pid) {
      const member = held.get(pid);
      if (member === undefined || member.isStruck) return false;
      member.isStruck = true;
      return member.child.kill("SIGKILL");
    },
    pause(pid) {
      const member = held.get(pid);
      if (member === undefined || member.isStruck || member.isPaused) return false;
      member.isPaused = member.child.kill("SIGSTOP");
      return member.isPaused;
    },
    resume(pid) {
      const member = held.get(pid);
      if (member?.isPaused !== true) return;
      member.isPaused = false;
      member.child.kill("SIGCONT");
    },
    async ready() {
      const end = performance.now() + patienceMs;
      while (![...held.values()].every(({ isReady }) => isReady)) {
        if (performance.now() > end) throw new Error(`a ${parts.name} does not start; see \`${logOf(parts)}\``);
        await pause(20);
      }
    },
    ownEnds: () => crew.ownEnds,
    async close() {
      crew.isClosed = true;
      const children = [...[...held.values()].map(({ child }) => child), ...spares.map(({ child }) => child)];
      await Promise.all(children.map(end));
    },
  };
}

interface Crew {
  /** Whoever is at work, by process. */
  readonly held: Map<number, Held>;
  readonly spares: Spare[];
  isClosed: boolean;
  ownEnds: number;
}

function raise(parts: PoolParts): Crew {
  const crew: Crew = { held: new Map(), spares: [], isClosed: false, ownEnds: 0 };
  stock(crew, parts);
  for (const slot of parts.slots) fill(crew, { slot, parts });
  return crew;
}

function stock({ spares, isClosed }: Crew, parts: PoolParts): void {
  while (!isClosed && spares.length < parts.spares) spares.push(spareOf(launch(parts), spares));
}

/** Puts a process into a slot, one that is loaded where there is one; whoever follows it does so once it is gone. */
function fill(crew: Crew, { slot, parts }: { slot: Slot; parts: PoolParts }): void {
  if (crew.isClosed) return;
  const { held, spares } = crew;
  const loaded = spares.findIndex(({ isLoaded }) => isLoaded);
  const child = spares.splice(Math.max(0, loaded), 1)[0]?.child ?? launch(parts);
  const go: Go = { env: slot.env };
  child.send(go, () => {});
  const member: Held = { child, slot, pid: child.pid ?? 0, isReady: false, isPaused: false, isStruck: false };
  held.set(member.pid, member);
  child.on("message", (said) => {
    if (typeof said === "object" && said !== null && "ready" in said) member.isReady = true;
  });
  child.once("exit", () => {
    held.delete(member.pid);
    if (!member.isStruck && !crew.isClosed) crew.ownEnds += 1;
    fill(crew, { slot, parts });
  });
  stock(crew, parts);
}

function logOf({ directory, name }: PoolParts): string {
  return join(directory, `${name}.log`);
}

function launch(parts: PoolParts): ChildProcess {
  const { program, env } = parts;
  const path = logOf(parts);
  const log = openSync(path, "a", 0o600);
  // A storm is long, and each death is told of by all others.
  if (statSync(path).size > largestLogBytes) truncateSync(path);
  // Who lives for seconds gains nothing from the engine's helper threads, and a start costs a third less without them.
  const child = spawn(process.execPath, ["--single-threaded", program], { env, stdio: ["ignore", log, log, "ipc"] });
  child.once("spawn", () => closeSync(log));
  child.on("error", () => {});
  return child;
}

function spareOf(child: ChildProcess, spares: Spare[]): Spare {
  const spare: Spare = { child, isLoaded: false };
  child.once("message", () => {
    spare.isLoaded = true;
  });
  child.once("exit", () => {
    const place = spares.indexOf(spare);
    if (place >= 0) spares.splice(place, 1);
  });
  return spare;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
