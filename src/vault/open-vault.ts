import type { KeyObject } from "node:crypto";
import { CountersignError } from "../contract/errors.ts";
import type { Vault } from "../contract/ports.ts";
import { type Environment, environmentVault } from "./environment.ts";
import { openSide, readVaultFile } from "./file.ts";
import { type KeptName, namesOf } from "./file-form.ts";
import { readKeys } from "./key-files.ts";
import { type DeclaredSecrets, purposesOf, refuseSharedNames, type VaultSide } from "./names.ts";
import type { SecretValues } from "./section.ts";
import { parseVaultKey } from "./vault-key.ts";

/**
 * Opens the vault of one process: the section of its side in the file that `COUNTERSIGN_VAULT` names, under the key in
 * `COUNTERSIGN_VAULT_KEY` or in the file `COUNTERSIGN_VAULT_KEY_FILE`, and behind it the environment. A name that the file holds is
 * taken from there. Without `declared`, for Countersign's own settings alone. Throws `configuration_invalid` where the file is named
 * and cannot be opened, and where it keeps a declared name for another use or another side than the project declares.
 */
export async function openVault({
  side,
  env,
  declared,
}: {
  side: VaultSide;
  env: Environment;
  declared?: Partial<DeclaredSecrets>;
}): Promise<Vault> {
  const file = await fileOf(side, env);
  if (declared !== undefined && file !== null) refuseOtherUse(side, { declared, kept: file.names });
  return environmentVault({ side, env, declared, kept: file?.values ?? null });
}

async function fileOf(side: VaultSide, env: Environment): Promise<{ values: SecretValues; names: readonly KeptName[] } | null> {
  const path = given(env, "COUNTERSIGN_VAULT");
  const [key, keyFile] = [given(env, "COUNTERSIGN_VAULT_KEY"), given(env, "COUNTERSIGN_VAULT_KEY_FILE")];
  if (path === null && key === null && keyFile === null) return null;
  // A half-set vault would fall back on the environment in silence.
  if (path === null) throw invalid("a key of a vault file is given, and no file; name it in `COUNTERSIGN_VAULT`");
  const keys = await keysOf({ key, keyFile });
  const sections = await readVaultFile(path);
  if (sections === null) throw invalid(`there is no vault file \`${path}\`, which \`COUNTERSIGN_VAULT\` names`);
  return { values: openSide(sections, { path, side, keys }).values, names: namesOf(sections) };
}

async function keysOf({ key, keyFile }: { key: string | null; keyFile: string | null }): Promise<readonly KeyObject[]> {
  if ((key === null) === (keyFile === null))
    throw invalid("give the key of the vault file either in `COUNTERSIGN_VAULT_KEY` or in the file `COUNTERSIGN_VAULT_KEY_FILE`");
  if (key !== null) return [parseVaultKey(key, "`COUNTERSIGN_VAULT_KEY`")];
  const keys = await readKeys(keyFile ?? "");
  if (keys.length === 0) throw invalid(`there is no key file \`${keyFile}\`, which \`COUNTERSIGN_VAULT_KEY_FILE\` names`);
  return keys;
}

/** A credential that was kept for reading never writes because a project declares it so, nor one of the other half here. */
function refuseOtherUse(
  side: VaultSide,
  { declared, kept }: { declared: Partial<DeclaredSecrets>; kept: readonly KeptName[] },
): void {
  refuseSharedNames({ reads: [], models: [], writes: [], observes: [], ...declared });
  for (const { name, purpose } of kept) {
    const uses = purposesOf[side].filter((use) => declared[use]?.includes(name));
    if (uses.length > 0 && !uses.some((use) => use === purpose))
      throw new CountersignError(
        "configuration_invalid",
        `the vault file keeps \`${name}\` under \`${purpose}\`, and the project declares it under \`${uses.join("` and `")}\`; give each use a name of its own`,
        { facts: { name, kept: purpose, declared: uses } },
      );
  }
}

function given(env: Environment, name: string): string | null {
  const value = Object.hasOwn(env, name) ? (env[name]?.trim() ?? "") : "";
  return value === "" ? null : value;
}

function invalid(message: string): CountersignError {
  return new CountersignError("configuration_invalid", message);
}
