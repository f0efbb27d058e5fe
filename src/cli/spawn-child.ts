import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CountersignError, type ErrorCode, errorCodes } from "../contract/errors.ts";
import type { DatabaseRole } from "../contract/words.ts";

const program = fileURLToPath(new URL("../../bin/countersign.mjs", import.meta.url));
/** The command that runs each process; also the name of its log. */
export const commandOf: Readonly<Record<DatabaseRole, string>> = {
  deciding: "serve",
  desk: "desk",
  acting: "work",
  ingesting: "ingest",
};

/**
 * More room for young objects: many decisions are under way at once, and each lives for several commits. Measured with 64 of them, this
 * saves about an eighth of the processor's time. Whoever runs `serve` by hand can give it in NODE_OPTIONS.
 */
const nodeFlags: Readonly<Record<DatabaseRole, readonly string[]>> = {
  deciding: ["--max-semi-space-size=64", "--min-semi-space-size=16"],
  desk: [],
  acting: [],
  ingesting: [],
};

/** Spawns one of the processes with an environment of its own; it writes to `<directory>/<command>.log`. */
export function spawnChild({
  role,
  env,
  directory,
}: {
  role: DatabaseRole;
  env: NodeJS.ProcessEnv;
  directory: string;
}): ChildProcess {
  const log = openSync(logOf(directory, role), "a", 0o600);
  try {
    return spawn(process.execPath, [...nodeFlags[role], program, commandOf[role]], { env, stdio: ["ignore", log, log, "ipc"] });
  } finally {
    closeSync(log);
  }
}

/** Where one of the processes writes its log. */
export function logOf(directory: string, role: DatabaseRole): string {
  return join(directory, `${commandOf[role]}.log`);
}

// What `process-life.ts` says, the only writer on this channel.
const saidForm = z.union([
  z.strictObject({ ready: z.string().nullable() }),
  z.strictObject({
    error: z.strictObject({ code: z.custom<ErrorCode>((code) => Object.hasOwn(errorCodes, String(code))), message: z.string() }),
  }),
]);

/**
 * Waits until a process works and gives its address, where it has one. Throws the process's own error, or `service_unavailable`
 * where it ended or stayed silent; then it is killed.
 */
export async function readyOf(
  child: ChildProcess,
  { name, withinMs }: { name: string; withinMs: number },
): Promise<string | null> {
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(failed(name, `was not ready within ${withinMs} ms`)), withinMs);
      child.once("error", () => reject(failed(name, "could not be spawned")));
      child.once("exit", (code, signal) => reject(failed(name, `ended with ${code ?? signal} before it was ready`)));
      child.once("message", (message) => {
        const said = saidForm.safeParse(message).data;
        if (said !== undefined && "ready" in said) resolve(said.ready);
        else
          reject(
            said === undefined
              ? failed(name, "said something else than `ready`")
              : new CountersignError(said.error.code, said.error.message),
          );
      });
      child.once("exit", () => clearTimeout(timer)).once("message", () => clearTimeout(timer));
    });
  } catch (thrown) {
    child.kill("SIGKILL");
    throw thrown;
  }
}

function failed(name: string, what: string): CountersignError {
  return new CountersignError("service_unavailable", `\`${name}\` ${what}; see \`${name}.log\` in the installation's folder`, {
    facts: { name },
  });
}

/** Ends a process: asks first, kills after a while. */
export function endChild(child: ChildProcess, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resolve();
    const timer = setTimeout(() => child.kill("SIGKILL"), withinMs);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill("SIGTERM");
  });
}
