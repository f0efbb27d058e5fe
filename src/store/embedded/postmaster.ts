import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { processCommand, processesIn } from "./process.ts";

/** What `postmaster.pid` says, checked against the process it names. */
export type Postmaster =
  | { readonly kind: "none" }
  /** The file was left behind: its process is gone, or is somebody else's. */
  | { readonly kind: "stale"; readonly pid: number }
  | { readonly kind: "alive"; readonly pid: number; readonly port: number | undefined; readonly isReady: boolean };

/** Reads which server, if any, runs on a data directory (an absolute path without symbolic links). */
export async function findPostmaster(dataDirectory: string): Promise<Postmaster> {
  const file = await readFile(join(dataDirectory, "postmaster.pid"), "utf8").catch(() => "");
  const { pid, port, isReady } = parsePostmasterFile(file);
  if (pid === undefined) return { kind: "none" };
  if (!(await isServerOf(pid, dataDirectory))) return { kind: "stale", pid };
  return { kind: "alive", pid, port, isReady };
}

/** Reads the lines of `postmaster.pid`; a server that is just starting has not written all of them yet. */
export function parsePostmasterFile(file: string) {
  const lines = file.split("\n");
  const pid = positive(lines[0]);
  const port = positive(lines[3]);
  return { pid, port, isReady: port !== undefined && lines[7]?.trim() === "ready" };
}

/** Reads the port that a data directory was last served on, so that a restart keeps the addresses that others hold. */
export async function lastPort(dataDirectory: string): Promise<number | undefined> {
  const options = await readFile(join(dataDirectory, "postmaster.opts"), "utf8").catch(() => "");
  return positive(/ "-p" "(\d+)"/.exec(options)?.[1]);
}

/**
 * Ends the server processes that outlived their killed postmaster: while one lives, PostgreSQL rightly refuses to start.
 * Killing them loses nothing that was committed; the next start recovers as after any crash.
 */
export async function endOrphans(dataDirectory: string): Promise<number> {
  const orphans = [];
  for (const pid of await processesIn(dataDirectory)) {
    // A child that has only just been forked still shows its postmaster's command line.
    const command = (await processCommand(pid)) ?? "";
    if (command.startsWith("postgres: ") || command.includes(serverCommand(dataDirectory))) orphans.push(pid);
  }
  for (const pid of orphans) sendKill(pid);
  return orphans.length;
}

async function isServerOf(pid: number, dataDirectory: string): Promise<boolean> {
  return (await processCommand(pid))?.includes(serverCommand(dataDirectory)) ?? false;
}

function serverCommand(dataDirectory: string): string {
  return `postgres -D ${dataDirectory} `;
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : undefined;
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended between the look and the kill, which is what we wanted; if we may not, the start says what is in its way.
  }
}
