import { resolve } from "node:path";
import { stopEmbedded } from "../store/embedded.ts";
import { print } from "./print.ts";
import { endProcesses } from "./processes.ts";
import { readRunFile, removeRunFile } from "./run-file.ts";

/** Stops what `start` started: first the processes, then the embedded database. Says what it found. */
export async function stop({ directory: folder, json }: { directory: string; json?: true }): Promise<void> {
  const directory = resolve(folder);
  const run = await readRunFile(directory);
  const processes = run === null ? 0 : await endProcesses(run);
  const database = await stopEmbedded({ directory });
  if (run !== null) await removeRunFile(directory, run.start);
  const isNothing = processes === 0 && database.kind === "not_running";
  const sentence = isNothing
    ? "nothing was running"
    : `stopped; ${processes} processes had been running, and nothing of them is left`;
  print({ json, value: { processes, database: database.kind }, lines: [sentence] });
}
