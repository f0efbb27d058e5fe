import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CountersignError } from "../contract/errors.ts";
import type { WriterRole } from "../contract/words.ts";

const program = fileURLToPath(new URL("../../bin/countersign.mjs", import.meta.url));
const commandOf: Readonly<Record<WriterRole, string>> = { deciding: "serve", desk: "desk", acting: "work" };
const readyWithinMs = 30_000;
const stopWithinMs = 10_000;

/** What a child says once it works: its address, where it has one. */
interface Ready {
  readonly url: string | null;
}

/** One of the three processes, kept alive until it is stopped. */
export interface Child {
  readonly role: WriterRole;
  readonly ready: Ready;
  readonly pid: () => number;
  readonly stop: () => Promise<void>;
}

/**
 * Starts one of the three processes with an environment of its own and waits until it is ready; starts it again when it dies.
 * Each writes its log to `<directory>/<command>.log`. A child whose parent dies ends by itself.
 */
export async function startChild({
  role,
  env,
  directory,
  onRestart,
}: {
  role: WriterRole;
  env: NodeJS.ProcessEnv;
  directory: string;
  onRestart: (role: WriterRole) => void;
}): Promise<Child> {
  const launch = () => spawnChild({ role, env, directory });
  let current = launch();
  const ready = await readyOf(role, current, directory);
  let isStopping = false;
  const watch = (child: ChildProcess) => {
    child.once("exit", () => {
      if (isStopping) return;
      onRestart(role);
      current = launch();
      watch(current);
    });
  };
  watch(current);
  return {
    role,
    ready,
    pid: () => current.pid ?? 0,
    stop: () => {
      isStopping = true;
      return stopChild(current);
    },
  };
}

function spawnChild({ role, env, directory }: { role: WriterRole; env: NodeJS.ProcessEnv; directory: string }): ChildProcess {
  const log = openSync(join(directory, `${commandOf[role]}.log`), "a", 0o600);
  return spawn(process.execPath, [program, commandOf[role]], { env, stdio: ["ignore", log, log, "ipc"] });
}

function readyOf(role: WriterRole, child: ChildProcess, directory: string): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      const log = join(directory, `${commandOf[role]}.log`);
      reject(new CountersignError("service_unavailable", `\`${commandOf[role]}\` ${what}; see \`${log}\``, { facts: { role, log } }));
    };
    const timer = setTimeout(() => fail(`was not ready within ${readyWithinMs} ms`), readyWithinMs);
    child.once("exit", (code) => fail(`ended with code ${code}`));
    child.once("message", (message) => {
      clearTimeout(timer);
      child.removeAllListeners("exit");
      resolve(message as Ready); // sent by `process-life.ts`, the only writer on this channel
    });
  });
}

function stopChild(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const timer = setTimeout(() => child.kill("SIGKILL"), stopWithinMs);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill("SIGTERM");
  });
}
