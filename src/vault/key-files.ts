import type { KeyObject } from "node:crypto";
import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { keyIdOf, newVaultKey, parseVaultKey, readKeyFile } from "./vault-key.ts";
import { syncFolder, writeWhole } from "./write-whole.ts";

/** The keys of a key file: its own, and the next one where a rotation was interrupted. Throws as `readKeyFile` does. */
export async function readKeys(path: string): Promise<readonly KeyObject[]> {
  const found = await Promise.all([readKeyFile(path), readKeyFile(nextOf(path))]);
  return found.filter((key) => key !== null);
}

/** Makes a key in a file of its own, for its owner alone. */
export async function makeKeyFile(path: string): Promise<KeyObject> {
  const text = newVaultKey();
  await writeWhole(path, `${text}\n`);
  return parseVaultKey(text, `the key file \`${path}\``);
}

/**
 * Puts a new key in place of the one in a key file while `reseal` seals under it what the old one opened. The new key is on disk before
 * anything is sealed under it, and the old one until nothing is: whoever reads both opens the section wherever a crash happened.
 * `sealedUnder` is the id of the section's key: an interrupted rotation whose next key is in use is ended first.
 */
export async function replaceKeyFile(
  { path, sealedUnder }: { path: string; sealedUnder: string },
  reseal: (newKey: KeyObject) => Promise<void>,
): Promise<void> {
  const next = await readKeyFile(nextOf(path));
  if (next !== null && keyIdOf(next) === sealedUnder) await settle(path);
  await reseal(await makeKeyFile(nextOf(path)));
  await settle(path);
}

async function settle(path: string): Promise<void> {
  await rename(nextOf(path), path);
  await syncFolder(dirname(path));
}

function nextOf(path: string): string {
  return `${path}.next`;
}
