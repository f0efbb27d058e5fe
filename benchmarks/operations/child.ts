import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import * as z from "zod";
import { CountersignError } from "../../src/contract/errors.ts";
import type { Told } from "./system.ts";

/** A process that answers each JSON line with one. One question at a time; stop it. */
export interface Child {
  /** Asks and parses the answer, which stands under the command's name. Throws `service_unavailable` where it ended or stumbled. */
  readonly ask: <T>(command: string, given?: object, schema?: z.ZodType<T>) => Promise<T>;
  readonly stop: () => Promise<void>;
}

const stopTimeoutMs = 10_000;

/** What a worker says of itself. */
export const toldSchema = z.object({ cpuMs: z.number(), applied: z.number(), verified: z.number() });

/** What workers did together. */
export async function toldBy(workers: readonly Child[]): Promise<Told> {
  const each = await Promise.all(workers.map((worker) => worker.ask("tell", {}, toldSchema)));
  return each.reduce((all, one) => ({ cpuMs: all.cpuMs + one.cpuMs, applied: all.applied + one.applied }), {
    cpuMs: 0,
    applied: 0,
  });
}

/** Starts a program with the flags of this process, so that all measured processes run Node the same way. */
export function startChild({ file, cwd, env }: { file: string; cwd: string; env: Readonly<Record<string, string>> }): Child {
  const child = spawn(process.execPath, [...process.execArgv, file], {
    cwd,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const { stdin, stdout } = child;
  // A process that has died is noticed by its missing answer; the broken pipe says nothing more.
  stdin.on("error", () => {});
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    async ask<T>(command: string, given: object = {}, schema?: z.ZodType<T>) {
      stdin.write(`${JSON.stringify({ [command]: given })}\n`);
      const line = await lines.next();
      if (line.done) throw unavailable(`\`${file}\` ended without an answer to \`${command}\`; its reason is on stderr`);
      const answer = z.record(z.string(), z.unknown()).safeParse(jsonOf(line.value)).data?.[command];
      if (answer === undefined) throw unavailable(`\`${file}\` answered \`${line.value.slice(0, 800)}\``);
      // Without a schema nothing is read of the answer.
      return schema === undefined ? (undefined as T) : schema.parse(answer);
    },
    stop: () => stop(child, exited),
  };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Not JSON, so no schema accepts it and the caller shows the line.
    return undefined;
  }
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.stdin?.end(`${JSON.stringify({ exit: {} })}\n`);
  const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
  await exited;
  clearTimeout(timer);
}

function unavailable(message: string): CountersignError {
  return new CountersignError("service_unavailable", message);
}
