import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import { withLock } from "../store/embedded/lock.ts";
import { stopEmbedded } from "../store/embedded.ts";
import { makeDirectory } from "./make-directory.ts";

const form = z.strictObject({ scratch: z.string() });

/** What a run says of its scratch installation, so that the next one finds what a kill left of it. */
export interface ScratchNote {
  readonly made: (directory: string) => Promise<void>;
}

/**
 * Does `work` as the only run of a project in an installation's folder, after what a killed one left was stopped and removed: its database
 * server outlives it. Throws `already_running` where another run has the folder.
 */
export async function withOnlyRun<T>(folder: string, project: string, work: (note: ScratchNote) => Promise<T>): Promise<T> {
  await makeDirectory(folder);
  const path = join(folder, `${project}.scratch.json`);
  const onHeld = (pid: number): CountersignError => {
    const message = `eval cases of \`${project}\` are being played by process ${pid}; wait for it, or name another --directory`;
    return new CountersignError("already_running", message, { facts: { pid } });
  };
  return withLock(join(folder, `${project}.lock`), { deadlineMs: Date.now(), onHeld }, async () => {
    await removeLeft(path);
    const done = await work({ made: (directory) => writeFile(path, JSON.stringify({ scratch: directory }), { mode: 0o600 }) });
    await rm(path, { force: true });
    return done;
  });
}

/** Whoever held the lock before is gone, so its scratch installation is nobody's. */
async function removeLeft(path: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return;
  const left = form.safeParse(parsed(text)).data;
  if (left !== undefined && /[/\\]countersign-scratch-[^/\\]+$/.test(left.scratch)) {
    await stopEmbedded({ directory: left.scratch });
    await rm(left.scratch, { recursive: true, force: true });
  }
  await rm(path, { force: true });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
