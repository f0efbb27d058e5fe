import { join } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { withLock } from "../store/embedded/lock.ts";
import { readRunFile } from "./run-file.ts";

/**
 * Does `work` as the only start of an installation; whoever dies loses the lock. Throws `already_running` where another has it,
 * without having touched anything of it.
 */
export async function withStartLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const onHeld = (pid: number) => alreadyRunning(directory, pid);
  return withLock(join(directory, "start.lock"), { deadlineMs: Date.now(), onHeld }, work);
}

async function alreadyRunning(directory: string, pid: number): Promise<CountersignError> {
  const url = (await readRunFile(directory))?.url ?? null;
  const message =
    url === null
      ? `this installation is being started or looked at by process ${pid}; wait for it, or end it with \`countersign stop\``
      : `this installation is already running at ${url}; open it, or end it with \`countersign stop\``;
  return new CountersignError("already_running", message, { facts: { url, pid } });
}
