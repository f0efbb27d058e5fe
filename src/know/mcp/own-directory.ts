import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that a program works in. */
export interface OwnDirectory {
  readonly path: string;
  /** Removes it with what the program left there, where it was made for it. Never throws. */
  readonly remove: () => Promise<void>;
}

/** Who a program runs as, by the numbers of user and group. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

/** The folder that is named, or a new empty one that is open to the program's user alone. Throws where that one cannot be given it. */
export async function ownDirectory({
  named,
  runAs,
}: {
  named?: string | undefined;
  runAs?: RunAs | undefined;
}): Promise<OwnDirectory> {
  if (named !== undefined) return { path: named, remove: async () => {} };
  const path = await mkdtemp(join(tmpdir(), "countersign-mcp-"));
  // What cannot be removed is empty or another user's, and in nobody's way.
  const remove = () => rm(path, { recursive: true, force: true }).catch(() => {});
  try {
    if (runAs !== undefined) await chown(path, runAs.uid, runAs.gid);
  } catch (thrown) {
    await remove();
    throw thrown;
  }
  return { path, remove };
}
