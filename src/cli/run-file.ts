import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { processLife } from "../store/embedded/process.ts";

// A pid alone is reused, after a restart of the machine at the latest; nothing of a stranger may be ended by it.
const processForm = z.strictObject({ pid: z.int().positive(), life: z.string().min(1) });
const runForm = z.strictObject({
  version: z.literal(1),
  start: processForm,
  /** The desk's address; `null` while it is being started. */
  url: z.string().nullable(),
  children: z.array(processForm),
});

/** What `start` tells `stop`, `ask` and the next `start`: its process, its children and the desk's address. */
export type RunFile = z.infer<typeof runForm>;
/** One life of one process. */
export type ProcessLife = z.infer<typeof processForm>;

/** Reads the run file; `null` where there is none or it is not readable. */
export async function readRunFile(directory: string): Promise<RunFile | null> {
  try {
    return runForm.parse(JSON.parse(await readFile(pathOf(directory), "utf8")));
  } catch {
    return null;
  }
}

/** Writes the run file of this process whole or not at all. */
export async function writeRunFile(
  directory: string,
  { url, pids }: { url: string | null; pids: readonly number[] },
): Promise<void> {
  const [start, ...children] = await Promise.all([process.pid, ...pids].map(lifeOf));
  const run = { version: 1, start, url, children: children.filter((child) => child !== undefined) };
  const draft = `${pathOf(directory)}.${process.pid}`;
  await writeFile(draft, JSON.stringify(run));
  await rename(draft, pathOf(directory));
}

/** Removes the run file of one start; another's stays. */
export async function removeRunFile(directory: string, start: ProcessLife): Promise<void> {
  const kept = await readRunFile(directory);
  if (kept === null || (kept.start.pid === start.pid && kept.start.life === start.life))
    await rm(pathOf(directory), { force: true });
}

/** This process, as the run file names it. */
export async function thisProcess(): Promise<ProcessLife> {
  return (await lifeOf(process.pid)) ?? { pid: process.pid, life: "unknown" };
}

/** How a start is: it works, it does not answer (yet, or any more), or its process has gone. */
export async function stateOf(run: RunFile): Promise<"answers" | "silent" | "gone"> {
  if (!(await isAlive(run.start))) return "gone";
  if (run.url === null) return "silent";
  try {
    const answer = await fetch(`${run.url}/healthz`, { signal: AbortSignal.timeout(2000) });
    return answer.ok ? "answers" : "silent";
  } catch {
    return "silent";
  }
}

/** Says whether that very process still lives; another that got its pid does not count. */
export async function isAlive({ pid, life }: ProcessLife): Promise<boolean> {
  return (await processLife(pid)) === life;
}

async function lifeOf(pid: number): Promise<ProcessLife | undefined> {
  const life = await processLife(pid);
  return life === undefined ? undefined : { pid, life };
}

function pathOf(directory: string): string {
  return join(directory, "run.json");
}
