import { randomUUID } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file so that a crash at any moment leaves the old one or the new one, never half of one. A new file is its owner's alone;
 * one that is there keeps its owner, group and permissions. Throws what the file system throws.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const old = await stat(path).catch(() => null);
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
      if (old !== null) {
        const drafted = await handle.stat();
        if (drafted.uid !== old.uid || drafted.gid !== old.gid) await handle.chown(old.uid, old.gid);
        await handle.chmod(old.mode & 0o777);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (thrown) {
    await rm(draft, { force: true });
    throw thrown;
  }
  await syncFolder(dirname(path));
}

/** Makes a change of names in a folder outlast a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
