// The second provider of secrets: one encrypted file for an installation, a section for each process under that process's key alone.
// No value of it may stand in an error, a log or a printed object; what a crash leaves is the old file or the new one.
import type { KeyObject } from "node:crypto";
import { open } from "node:fs/promises";
import { CountersignError } from "../contract/errors.ts";
import { parseVaultFile, type Sections, vaultFileText } from "./file-form.ts";
import type { SecretPurpose, VaultSide } from "./names.ts";
import { openSection, type SecretValues, sealSection } from "./section.ts";
import { keyIdOf } from "./vault-key.ts";
import { writeWhole } from "./write-whole.ts";

/** One side of one vault file, and the keys that may open it: where a rotation was interrupted, the old and the new one. */
export interface OneSide {
  readonly path: string;
  readonly side: VaultSide;
  readonly keys: readonly KeyObject[];
}

/**
 * Reads a vault file, which needs no key: values stay sealed. `null` where there is none. Throws `configuration_invalid` where it is
 * damaged, unreadable, or others than its owner may write it.
 */
export async function readVaultFile(path: string): Promise<Sections | null> {
  const text = await readText(path);
  return text === null ? null : parseVaultFile(text, path);
}

/** Opens the values of one side. Throws `configuration_invalid` where the side has no section, no key fits, or it was changed. */
export function openSide(sections: Sections, { path, side, keys }: OneSide): { values: SecretValues; key: KeyObject } {
  const section = sections[side];
  if (section === undefined) throw invalid(`the vault file \`${path}\` holds nothing for the ${side} process`);
  const key = keys.find((one) => keyIdOf(one) === section.keyId);
  if (key === undefined)
    throw invalid(`the given key does not open the ${side} section of \`${path}\`; give the one it was sealed under`);
  const values = openSection({ side, section, key });
  // Invariant: the names in clear are those of the values. The seal covers both; this holds whoever sealed to it.
  if (values === null || [...values.keys()].sort().join() !== Object.keys(section.names).sort().join())
    throw invalid(`the ${side} section of \`${path}\` was changed or is damaged; restore the file from a copy`);
  return { values, key };
}

/** Keeps a secret, in place of the one that its name had. Whoever calls holds the lock of the file. */
export async function putSecret(
  at: OneSide,
  { name, purpose, value }: { name: string; purpose: SecretPurpose; value: string },
): Promise<void> {
  const sections = (await readVaultFile(at.path)) ?? {};
  const section = sections[at.side];
  const known = section === undefined ? null : openSide(sections, at);
  const key = known?.key ?? at.keys[0];
  if (key === undefined) throw invalid(`there is no key for the ${at.side} section of \`${at.path}\``);
  const values = new Map([...(known?.values ?? []), [name, value]]);
  const sealed = sealSection({ side: at.side, names: { ...section?.names, [name]: purpose }, values, key });
  await write(at.path, { ...sections, [at.side]: sealed });
}

/** Forgets a secret; a section without any is gone. Whoever calls holds the lock of the file. */
export async function removeSecret(at: OneSide, name: string): Promise<void> {
  const sections = (await readVaultFile(at.path)) ?? {};
  const { values, key } = openSide(sections, at);
  const { [name]: _, ...names } = sections[at.side]?.names ?? {};
  const left = new Map([...values].filter(([one]) => one !== name));
  const { [at.side]: __, ...others } = sections;
  await write(
    at.path,
    left.size === 0 ? others : { ...sections, [at.side]: sealSection({ side: at.side, names, values: left, key }) },
  );
}

/** Seals one side's section under a new key; the old one opens it no more. Whoever calls holds the lock of the file. */
export async function rotateSide(at: OneSide, newKey: KeyObject): Promise<void> {
  const sections = (await readVaultFile(at.path)) ?? {};
  const { values } = openSide(sections, at);
  const names = sections[at.side]?.names ?? {};
  await write(at.path, { ...sections, [at.side]: sealSection({ side: at.side, names, values, key: newKey }) });
}

async function write(path: string, sections: Sections): Promise<void> {
  try {
    await writeWhole(path, vaultFileText(sections, path));
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
    throw invalid(`the vault file \`${path}\` cannot be written (${whyOf(cause)}); see who may write its folder`);
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    const handle = await open(path, "r");
    try {
      if (((await handle.stat()).mode & 0o022) !== 0)
        throw invalid(`the vault file \`${path}\` can be written by others than its owner; run \`chmod go-w\` on it`);
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
    if (whyOf(cause) === "ENOENT") return null;
    throw invalid(`the vault file \`${path}\` cannot be read (${whyOf(cause)})`);
  }
}

function whyOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
}

function invalid(message: string): CountersignError {
  return new CountersignError("configuration_invalid", message);
}
