import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const runForm = z.strictObject({ pid: z.int(), url: z.string(), children: z.array(z.int()) });

/** What `start` tells `stop`, `ask` and the next `start`: its process, its children and the desk's address. */
export type RunFile = z.infer<typeof runForm>;

/** Reads the run file; `null` where there is none or it is not readable. */
export async function readRunFile(directory: string): Promise<RunFile | null> {
  try {
    return runForm.parse(JSON.parse(await readFile(pathOf(directory), "utf8")));
  } catch {
    return null;
  }
}

/** Writes the run file whole or not at all. */
export async function writeRunFile(directory: string, run: RunFile): Promise<void> {
  const draft = `${pathOf(directory)}.${process.pid}`;
  await writeFile(draft, JSON.stringify(run));
  await rename(draft, pathOf(directory));
}

/** Removes the run file. */
export async function removeRunFile(directory: string): Promise<void> {
  await rm(pathOf(directory), { force: true });
}

/** Says whether what the run file names still answers; a file that a killed process left behind does not count. */
export async function isRunning(run: RunFile): Promise<boolean> {
  if (!isAlive(run.pid)) return false;
  try {
    const answer = await fetch(`${run.url}/healthz`, { signal: AbortSignal.timeout(2000) });
    return answer.ok;
  } catch {
    return false;
  }
}

/** Says whether a process of that id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function pathOf(directory: string): string {
  return join(directory, "run.json");
}
