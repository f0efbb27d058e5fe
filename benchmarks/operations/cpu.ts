import { readdir, readFile } from "node:fs/promises";

// What Linux counts CPU in for programs, whatever the kernel's own tick is.
const ticksPerSecond = 100;

/**
 * CPU that a process, its children that live and its children that ended have used so far, in milliseconds; `null` where there is no
 * `/proc`. A PostgreSQL server is one process with children.
 */
export async function cpuMsOf(pid: number): Promise<number | null> {
  const root = await statOf(pid);
  if (root === null) return null;
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(names.map((name) => statOf(Number(name))));
  const children = all.filter((one) => one !== null && one.parent === pid);
  const ticks = children.reduce((sum, one) => sum + (one?.own ?? 0), root.own + root.ended);
  return (ticks * 1000) / ticksPerSecond;
}

async function statOf(pid: number): Promise<{ parent: number; own: number; ended: number } | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (text === null) return null;
  // The name stands in brackets and may hold spaces; the state is the first field after it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const at = (place: number): number => Number(fields[place]);
  return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
}
