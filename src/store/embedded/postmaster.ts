import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { processCommand, processDirectory, processesIn } from "./process.ts";

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
 * Clears what a killed server left and PostgreSQL cannot judge: its pid file when that pid now belongs to somebody else, and
 * server processes that outlived their postmaster. Nothing that was committed is lost. The caller holds the lock.
 */
export async function clearRemains(dataDirectory: string): Promise<void> {
  const found = await findPostmaster(dataDirectory);
  if (found.kind === "alive") return;
  // A pid file whose process is gone is left to PostgreSQL, which reads more from it than we do.
  if (found.kind === "stale" && signal(found.pid, 0)) await rm(join(dataDirectory, "postmaster.pid"), { force: true });
  for (const pid of await processesIn(dataDirectory)) {
    const command = (await processCommand(pid)) ?? "";
    // A child that has only just been forked still shows its postmaster's command line.
    if (command.startsWith("postgres: ") || command.includes(serverCommand(dataDirectory))) signal(pid, "SIGKILL");
  }
}

async function isServerOf(pid: number, dataDirectory: string): Promise<boolean> {
  const command = (await processCommand(pid)) ?? "";
  if (command.includes(serverCommand(dataDirectory))) return true;
  // A folder that was renamed under its server: the command line has the old path, the working directory the new one.
  return command.includes("postgres -D ") && (await processDirectory(pid)) === dataDirectory;
}

function serverCommand(dataDirectory: string): string {
  return `postgres -D ${dataDirectory} `;
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : undefined;
}

/** False when the process is gone or not ours to signal. */
function signal(pid: number, name: "SIGKILL" | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
