import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stopEmbedded } from "../store/embedded.ts";
import { isAlive, readRunFile, removeRunFile } from "./run-file.ts";

const gracefulMs = 15_000;

/** Stops what `start` started: first the processes, then the embedded database. Says what it found. */
export async function stop({ directory: folder, json }: { directory: string; json?: true }): Promise<void> {
  const directory = resolve(folder);
  const run = await readRunFile(directory);
  const stopped = run === null ? [] : await endProcesses([run.pid, ...run.children]);
  const database = await stopEmbedded({ directory });
  await removeRunFile(directory);
  const result = { processes: stopped.length, database: database.kind };
  if (json === true) console.log(JSON.stringify(result));
  else if (stopped.length === 0 && database.kind === "not_running") console.log("nothing was running");
  else console.log(`stopped ${stopped.length} processes; the database: ${database.kind}`);
}

/** Asks the parent to end, which ends its children; what is left after a while is killed. Gives the ids that were alive. */
async function endProcesses(pids: readonly number[]): Promise<readonly number[]> {
  const alive = pids.filter((pid) => isAlive(pid));
  const [parent] = pids;
  if (parent !== undefined && isAlive(parent)) process.kill(parent, "SIGTERM");
  const end = performance.now() + gracefulMs;
  while (alive.some((pid) => isAlive(pid)) && performance.now() < end) await pause(50);
  for (const pid of alive.filter((one) => isAlive(one))) process.kill(pid, "SIGKILL");
  return alive;
}
