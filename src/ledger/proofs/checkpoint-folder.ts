import { mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";

/** Checkpoints in a folder, a file for each: `<tenant>.<size>.checkpoint`, the size in sixteen digits. */
export interface CheckpointFolder {
  /** Writes a checkpoint with fsync, and lets older ones go: the newest 32 of a tenant stay, and one of each day. */
  readonly keep: (one: { readonly tenant: string; readonly size: number; readonly text: string }) => Promise<void>;
  /** Keeps a checkpoint under another name, where a restore gave up the ledger that it was of. */
  readonly setAside: (one: { readonly tenant: string; readonly size: number }) => Promise<void>;
  /** The texts of a tenant's checkpoints, the smallest first. */
  readonly read: (tenant: string) => Promise<readonly string[]>;
}

const newest = 32;

/** Opens a folder of checkpoints; it is made with the first. */
export function openCheckpointFolder(directory: string): CheckpointFolder {
  return {
    keep: async ({ tenant, size, text }) => {
      await mkdir(directory, { recursive: true });
      const name = nameOf({ tenant, size });
      const draft = join(directory, `${name}.${process.pid}.draft`);
      const file = await open(draft, "w");
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, join(directory, name));
      await thin(directory, (await namesOf(directory, tenant)).slice(0, -newest));
    },
    setAside: async (one) => rename(join(directory, nameOf(one)), join(directory, `${nameOf(one)}.replaced`)),
    read: async (tenant) =>
      Promise.all((await namesOf(directory, tenant)).map((name) => readFile(join(directory, name), "utf8"))),
  };
}

function nameOf({ tenant, size }: { tenant: string; size: number }): string {
  return `${tenant}.${String(size).padStart(16, "0")}.checkpoint`;
}

async function namesOf(directory: string, tenant: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => name.startsWith(`${tenant}.`) && /^\.\d{16}\.checkpoint$/.test(name.slice(tenant.length))).sort();
}

/** Another process may have removed one in between; then it is gone all the same. */
async function thin(directory: string, names: readonly string[]): Promise<void> {
  const days = new Set<string>();
  for (const name of names) {
    const at = await stat(join(directory, name)).catch(() => null);
    const day = at?.mtime.toISOString().slice(0, 10);
    if (day !== undefined && days.has(day)) await unlink(join(directory, name)).catch(() => {});
    if (day !== undefined) days.add(day);
  }
}
