import { setTimeout as pause } from "node:timers/promises";
import { isAlive, type ProcessLife, readRunFile } from "./run-file.ts";

/** Longer than a process needs to close, see `process-life.ts`. */
const patienceMs = 15_000;

/** Waits for the processes of a start that was killed: they end by themselves, and are killed where they do not. */
export async function awaitEarlierProcesses(directory: string): Promise<void> {
  const run = await readRunFile(directory);
  if (run !== null) await outlast(run.children);
}

/** Ends a start and its processes: the parent is asked, which ends its children; what is left after a while is killed. Gives how many lived. */
export async function endProcesses({
  start,
  children,
}: {
  start: ProcessLife;
  children: readonly ProcessLife[];
}): Promise<number> {
  const alive = await living([start, ...children]);
  if (alive.includes(start)) signal(start, "SIGTERM");
  await outlast(alive);
  return alive.length;
}

async function outlast(processes: readonly ProcessLife[]): Promise<void> {
  const end = performance.now() + patienceMs;
  let alive = await living(processes);
  while (alive.length > 0 && performance.now() < end) {
    await pause(50);
    alive = await living(alive);
  }
  for (const one of alive) signal(one, "SIGKILL");
}

async function living(processes: readonly ProcessLife[]): Promise<readonly ProcessLife[]> {
  const states = await Promise.all(processes.map(isAlive));
  return processes.filter((_, place) => states[place] === true);
}

/** One that has just ended is what was wanted. */
function signal({ pid }: ProcessLife, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH")) throw thrown;
  }
}
