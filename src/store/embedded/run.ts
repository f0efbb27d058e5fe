import { spawn } from "node:child_process";
import { parse } from "node:path";
import { CountersignError } from "../../contract/errors.ts";

/** The system account that a PostgreSQL program runs under. */
export type Account =
  | { readonly kind: "self" }
  /** Root, seen by PostgreSQL as an unprivileged user of a user namespace of its own. */
  | { readonly kind: "namespace" }
  | { readonly kind: "user"; readonly uid: number; readonly gid: number };

/** A program with its arguments and, when it may not be our own, its account. */
export type Command = { readonly command: string; readonly args: readonly string[]; readonly account?: Account };

/** Runs a program to its end and returns its exit code with stdout and stderr together; code 127 when it cannot be run. */
export async function runProgram(program: Command): Promise<{ code: number; output: string }> {
  const { command, args, options } = spawnForm(program);
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const append = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on("data", append);
    child.stderr.on("data", append);
    child.once("error", (error) => resolve({ code: 127, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Like `runProgram`, but throws `database_start_failed` with the last lines of output unless the program exits with 0. */
export async function runOrThrow(program: Command): Promise<string> {
  const { code, output } = await runProgram(program);
  if (code === 0) return output;
  const name = parse(program.command).name;
  const lastLines = output.trim().split("\n").slice(-3).join(" | ");
  throw new CountersignError("database_start_failed", `\`${name}\` ended with code ${code}: ${lastLines}`, {
    facts: { program: name, exitCode: code },
  });
}

/** What to hand to `spawn` so that a program runs under its account, in no directory of ours and with none of our secrets. */
export function spawnForm({ command, args, account }: Command) {
  const owner = account?.kind === "user" ? { uid: account.uid, gid: account.gid } : {};
  const options = { ...owner, cwd: parse(process.execPath).root, env: bareEnvironment(), windowsHide: true };
  if (account?.kind !== "namespace") return { command, args: [...args], options };
  return { command: "unshare", args: ["--user", command, ...args], options };
}

/** The server outlives us and reads PG* variables: it gets a bare environment, without our keys and settings. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const kept = ["PATH", "SystemRoot", "TEMP"].filter((name) => process.env[name] !== undefined);
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), LC_ALL: "C", TZ: "UTC" };
}
