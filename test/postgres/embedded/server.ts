import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { type EmbeddedServer, embeddedStatus } from "../../../src/store/embedded.ts";

/** A backend in the middle of a long statement; gives its pid. */
export async function busyBackend(server: EmbeddedServer): Promise<number> {
  const client = new pg.Client({ connectionString: server.adminUrl });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query("select pg_backend_pid() as pid");
  client.query("select count(*) from generate_series(1, 100000000000)").catch(() => {});
  const pid = Number(rows[0].pid);
  await until(
    async () =>
      (await query(server.adminUrl, `select state from pg_stat_activity where pid = ${pid}`))[0]?.["state"] === "active",
  );
  return pid;
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Reads a setting of the server. */
export async function setting(server: EmbeddedServer, name: string): Promise<unknown> {
  return (await query(server.adminUrl, `select current_setting('${name}') as value`))[0]?.["value"];
}

/** The pid of the server that runs for a project folder; throws when none does. */
export async function pidOf(folder: string): Promise<number> {
  const status = await embeddedStatus({ directory: folder });
  if (status.kind !== "running") throw new Error("no server runs");
  return status.pid;
}

/** Every live process, its command line, working directory and owner, read without the code under test. */
async function liveProcesses() {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    pids.map(async (pid) => ({
      pid: Number(pid),
      status: await readFile(`/proc/${pid}/status`, "utf8").catch(() => ""),
      command: await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""),
    })),
  );
  return all.filter(({ status }) => status !== "" && !/^State:\s+Z/m.test(status));
}

/** The postmasters of a project folder; there must never be two. */
export async function serverProcesses(folder: string) {
  return (await liveProcesses()).filter(({ command }) => command.includes(`postgres\0-D\0${join(folder, "postgres")}\0`));
}

/** The postmaster of a data directory and its children. */
export async function processesIn(dataDirectory: string): Promise<number[]> {
  const all = await liveProcesses();
  const postmasters = all.filter(({ command }) => command.includes(`postgres\0-D\0${dataDirectory}\0`)).map(({ pid }) => pid);
  const isChild = (status: string): boolean => postmasters.includes(Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
  return all.filter(({ pid, status }) => postmasters.includes(pid) || isChild(status)).map(({ pid }) => pid);
}

/** Some children end by themselves between the look and the kill. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Says whether a process is gone, counting zombies as gone. */
export async function isGone(pid: number): Promise<boolean> {
  return !(await liveProcesses()).some((live) => live.pid === pid);
}

/** The uid that a process runs under, as seen from outside. */
export async function uidOf(pid: number): Promise<number> {
  return Number(/^Uid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]);
}

/** The files in each half-made data directory of a project folder. */
export async function drafts(folder: string): Promise<string[][]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith("postgres.draft-"));
  return Promise.all(names.map((name) => readdir(join(folder, name)).catch(() => [])));
}

/** Waits for a condition; the test's own time-out ends it. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(5);
}
