import { open, rename, rm, writeFile } from "node:fs/promises";
import { CountersignError } from "../contract/errors.ts";

/**
 * Writes a file whole or not at all. Throws `bad_request` where it cannot be written, and where it is there already unless it may be replaced:
 * what somebody wrote by hand is not lost to a command.
 */
export async function writeWhole(path: string, text: string, { mayReplace }: { mayReplace: boolean }): Promise<void> {
  if (!mayReplace) await claim(path);
  const draft = `${path}.${process.pid}.part`;
  try {
    await writeFile(draft, text);
    await rename(draft, path);
  } catch (cause) {
    await Promise.all([draft, ...(mayReplace ? [] : [path])].map((left) => rm(left, { force: true })));
    throw new CountersignError(
      "bad_request",
      `\`${path.slice(0, 200)}\` cannot be written; name a file in a folder that is there`,
      { cause },
    );
  }
}

/** Makes the empty file, so that two commands at the same time do not both believe that it was not there. */
async function claim(path: string): Promise<void> {
  try {
    await (await open(path, "wx")).close();
  } catch (cause) {
    throw new CountersignError(
      "bad_request",
      `\`${path.slice(0, 200)}\` is there already, or cannot be made; name another file`,
      { cause },
    );
  }
}
