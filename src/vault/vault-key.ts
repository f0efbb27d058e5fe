import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import { open } from "node:fs/promises";
import { CountersignError } from "../contract/errors.ts";

const keyBytes = 32;

/** Makes the key of one section, as the text that a key file or a variable holds: 32 random bytes, base64. */
export function newVaultKey(): string {
  return randomBytes(keyBytes).toString("base64");
}

/** Reads the text of a key; `place` says where it came from. Throws `configuration_invalid` for what is not 32 bytes in base64. */
export function parseVaultKey(text: string, place: string): KeyObject {
  const trimmed = text.trim();
  const bytes = Buffer.from(trimmed, "base64");
  if (bytes.length !== keyBytes || bytes.toString("base64") !== trimmed)
    throw invalid(`${place} holds no key of a vault file, which is ${keyBytes} bytes in base64`);
  return createSecretKey(bytes);
}

/**
 * Reads a key file; `null` where there is none. Throws `configuration_invalid` where the group or others may read it, where it is no
 * plain file, cannot be read or holds no key.
 */
export async function readKeyFile(path: string): Promise<KeyObject | null> {
  const text = await readOwn(path).catch((cause: unknown) => {
    if (cause instanceof CountersignError) throw cause;
    const why = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    if (why === "ENOENT") return null;
    throw new CountersignError("configuration_invalid", `the key file \`${path}\` cannot be read (${why})`, { facts: { path } });
  });
  return text === null ? null : parseVaultKey(text, `the key file \`${path}\``);
}

/** Says which key a section was sealed under, without saying anything about the key. */
export function keyIdOf(key: KeyObject): string {
  return Buffer.from(hkdfSync("sha256", key, "", "countersign vault key id", 8)).toString("hex");
}

/** The key that seals, which is never the one that the id is made from. */
export function sealingKeyOf(key: KeyObject): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", key, "", "countersign vault seal", keyBytes)));
}

async function readOwn(path: string): Promise<string> {
  const handle = await open(path, "r");
  try {
    // Asked of the file that is open, so that nobody can put another in its place between the question and the reading.
    const about = await handle.stat();
    if (!about.isFile()) throw invalid(`\`${path}\` is no plain file, so it is not read as a key file`);
    if ((about.mode & 0o077) !== 0)
      throw invalid(`the key file \`${path}\` is open to others than its owner; run \`chmod 600\` on it and rotate the key`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

function invalid(message: string): CountersignError {
  return new CountersignError("configuration_invalid", message);
}
