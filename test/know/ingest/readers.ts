import { readdir, readFile } from "node:fs/promises";

/** The processes that read files for a process. */
export async function readersOf(pid: number | undefined): Promise<readonly number[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    all.map(async (name) => {
      const line = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
      const isChild = Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[1]) === pid;
      const command = isChild ? await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "") : "";
      return command.includes("parser-process.ts") ? [Number(name)] : [];
    }),
  );
  return found.flat();
}
