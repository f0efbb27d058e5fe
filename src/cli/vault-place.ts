import type { KeyObject } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import type { WriterRole } from "../contract/words.ts";
import { withLock } from "../store/embedded/lock.ts";
import { type OneSide, readVaultFile } from "../vault/file.ts";
import { type KeptName, namesOf, type Sections, sidesOf } from "../vault/file-form.ts";
import { readKeys } from "../vault/key-files.ts";
import { parseVaultKey } from "../vault/vault-key.ts";
import { makeDirectory } from "./make-directory.ts";

/** Where the vault file of a command is, and the keys of its sections. */
export interface VaultOptions {
  readonly directory: string;
  /** The vault file, where it is not the installation's own. */
  readonly file?: string;
  /** The key file of the section at hand, where it is not the installation's own. */
  readonly keyFile?: string;
  readonly json?: true;
}

/** One side of a command's vault file. */
export interface SideInPlace extends OneSide {
  readonly keyFile: string;
  readonly sections: Sections;
}

/** Where a command's vault file is. */
export function vaultPath({ directory, file }: VaultOptions): string {
  return file === undefined ? join(resolve(directory), "secrets", "vault.json") : resolve(file);
}

/** Works on one side of the vault file while nobody else does. Throws `configuration_invalid` for a file or key that cannot be read. */
export async function withSide<T>(
  options: VaultOptions,
  { side, work }: { side: (sections: Sections) => WriterRole; work: (place: SideInPlace) => Promise<T> },
): Promise<T> {
  const path = vaultPath(options);
  await makeDirectory(dirname(path));
  return withLock(`${path}.lock`, { deadlineMs: Date.now() + 10_000 }, async () => {
    const sections = (await readVaultFile(path)) ?? {};
    const one = side(sections);
    const keyFile = options.keyFile === undefined ? keyFileOf(dirname(path), one) : resolve(options.keyFile);
    return work({ path, side: one, keyFile, sections, keys: await keysAt(keyFile) });
  });
}

/** Finds a name in a vault file. Throws `not_found`, or `bad_request` where it stands on several sides and none is named. */
export function findKept(sections: Sections, { name, side }: { name: string; side?: WriterRole | undefined }): KeptName {
  const found = namesOf(sections).filter((one) => one.name === name && (side === undefined || one.side === side));
  const [one, ...others] = found;
  if (one === undefined)
    throw new CountersignError("not_found", "the vault file holds no secret of that name; see `countersign secret list`");
  if (others.length === 0) return one;
  const sides = found.map((each) => each.side).join(", ");
  throw new CountersignError("bad_request", `\`${name}\` is kept for several processes (${sides}); say which with --process`);
}

/** The variables with which `start` points each process to its own section, and to that section's key alone. */
export async function vaultVariables(
  directory: string,
): Promise<{ readonly [role in WriterRole]?: Readonly<Record<string, string>> }> {
  const path = vaultPath({ directory });
  const sides = sidesOf((await readVaultFile(path)) ?? {}).map(([side]) => side);
  return Object.fromEntries(
    sides.map((side) => [side, { COUNTERSIGN_VAULT: path, COUNTERSIGN_VAULT_KEY_FILE: keyFileOf(dirname(path), side) }]),
  );
}

async function keysAt(keyFile: string): Promise<readonly KeyObject[]> {
  const key = process.env["COUNTERSIGN_VAULT_KEY"] ?? "";
  const kept = await readKeys(keyFile);
  if (key === "") return kept;
  if (kept.length > 0)
    throw new CountersignError(
      "configuration_invalid",
      `both \`COUNTERSIGN_VAULT_KEY\` and the key file \`${keyFile}\` are there; keep one of them`,
    );
  return [parseVaultKey(key, "`COUNTERSIGN_VAULT_KEY`")];
}

function keyFileOf(folder: string, side: WriterRole): string {
  return join(folder, `vault-${side}.key`);
}
