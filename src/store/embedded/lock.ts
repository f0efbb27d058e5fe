import { randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CountersignError } from "../../contract/errors.ts";
import { processLife } from "./process.ts";
import type { Patience } from "./wait.ts";
import { waitUntil } from "./wait.ts";

/** How long to wait for whoever holds the lock, and what is thrown where the process `pid` still holds it then. */
export interface LockPatience extends Patience {
  readonly onHeld?: ((pid: number) => Error | Promise<Error>) | undefined;
}

type Holder = { readonly pid: number; readonly life: string };

/**
 * Runs `work` while holding the lock of a folder, against other processes and other calls in this one; a holder that died loses it.
 * When a live holder keeps it past the deadline it throws what `onHeld` gives, `database_start_failed` where that is left out.
 *
 * The lock is the highest numbered file in the folder. It is free when that file names nobody, or a process whose life has ended; it is
 * taken by creating the next number, which only one can do. Deleting a dead holder's file instead would let two waiters
 * delete each other's new lock.
 */
export async function withLock<T>(folder: string, patience: LockPatience, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true });
  const life = (await processLife(process.pid)) ?? "";
  const taken = await waitUntil(patience, () => tryTake(folder, { pid: process.pid, life }));
  if (taken === undefined) throw await (patience.onHeld ?? stillHeld)(await holderOf(folder));
  try {
    return await work();
  } finally {
    await release(folder, taken);
  }
}

async function tryTake(folder: string, holder: Holder): Promise<number | undefined> {
  const newest = await newestNumber(folder);
  if (newest > 0 && (await isHeld(folder, newest))) return undefined;
  const mine = newest + 1;
  if (!(await create(folder, mine, holder))) return undefined;
  // Invariant: the highest number is never deleted. So if our view was old, a higher one is there now, and it counts.
  if ((await newestNumber(folder)) !== mine) {
    await rm(numbered(folder, mine), { force: true });
    return undefined;
  }
  const older = (await numbers(folder)).filter((number) => number < mine);
  await Promise.all(older.map((number) => rm(numbered(folder, number), { force: true })));
  return mine;
}

async function isHeld(folder: string, number: number): Promise<boolean> {
  const holder = await readHolder(folder, number);
  return holder !== undefined && holder.life === (await processLife(holder.pid));
}

/** Appears with its whole content or not at all; false when the number is taken. */
async function create(folder: string, number: number, holder: Holder): Promise<boolean> {
  const draft = join(folder, `draft-${randomUUID()}`);
  await writeFile(draft, JSON.stringify(holder));
  try {
    await link(draft, numbered(folder, number));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function release(folder: string, number: number): Promise<void> {
  const draft = join(folder, `draft-${randomUUID()}`);
  await writeFile(draft, "");
  await rename(draft, numbered(folder, number));
}

/** The process that holds the lock; 0 where it has let go of it just now. */
async function holderOf(folder: string): Promise<number> {
  return (await readHolder(folder, await newestNumber(folder)))?.pid ?? 0;
}

function stillHeld(pid: number): CountersignError {
  const message = `process ${pid} has been starting or stopping the database all this time; wait for it or end it`;
  return new CountersignError("database_start_failed", message, { facts: { pid } });
}

async function readHolder(folder: string, number: number): Promise<Holder | undefined> {
  const text = await readFile(numbered(folder, number), "utf8").catch(() => "");
  const [, pid, life] = /^\{"pid":(\d+),"life":"([^"]*)"\}$/.exec(text) ?? [];
  return pid === undefined || life === undefined ? undefined : { pid: Number(pid), life };
}

async function newestNumber(folder: string): Promise<number> {
  return Math.max(0, ...(await numbers(folder)));
}

async function numbers(folder: string): Promise<readonly number[]> {
  return (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number);
}

function numbered(folder: string, number: number): string {
  return join(folder, String(number));
}
