import { readdir, readFile, readlink } from "node:fs/promises";
import { runProgram } from "./run.ts";

/** The command line of a live process, joined by spaces; undefined when it is gone, a zombie, or hidden from us. */
export async function processCommand(pid: number): Promise<string | undefined> {
  if (process.platform !== "linux") return psField(pid, "args");
  const raw = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const command = raw.replaceAll("\0", " ");
  return command === "" ? undefined : command;
}

/**
 * A name for one life of a process: undefined when it is gone or a zombie.
 * A pid alone is not enough: pids are reused, and in a container a restarted program often gets the very same one.
 */
export async function processLife(pid: number): Promise<string | undefined> {
  if (process.platform !== "linux") return psField(pid, "lstart");
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses and may hold spaces; state is field 3, start time field 22.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return undefined;
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  return `${boot.trim()}:${fields[19]}`;
}

/** The working directory of a live process; undefined where the system cannot tell. */
export async function processDirectory(pid: number): Promise<string | undefined> {
  return process.platform === "linux" ? readlink(`/proc/${pid}/cwd`).catch(() => undefined) : undefined;
}

/** The pids of all live processes whose working directory is the given one; empty where the system cannot tell. */
export async function processesIn(workingDirectory: string): Promise<readonly number[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const directories = await Promise.all(pids.map(processDirectory));
  return pids.filter((_, index) => directories[index] === workingDirectory);
}

async function psField(pid: number, field: "args" | "lstart"): Promise<string | undefined> {
  const { code, output } = await runProgram({ command: "ps", args: ["-ww", "-o", `${field}=`, "-p", String(pid)] });
  const value = output.trim();
  return code !== 0 || value === "" || value.includes("<defunct>") ? undefined : `${value} `;
}
