import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { CountersignError } from "../contract/errors.ts";

// scrypt (RFC 7914) with N = 2^17, r = 8, p = 1: 128 MiB and some hundred milliseconds for each guess.
const cost = { N: 131_072, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const [saltBytes, nonceBytes, tagBytes] = [16, 12, 16];
/** The form of what is sealed: first byte, and bound to it. */
const form = Buffer.from([1]);
const fewest = 12;

/** Encrypts text under a passphrase (scrypt, AES-256-GCM), as base64. Throws `configuration_invalid` for one of less than 12 characters. */
export function sealUnder(passphrase: string, text: string): string {
  if (passphrase.length < fewest)
    throw new CountersignError("configuration_invalid", `the passphrase has less than ${fewest} characters; give a longer one`);
  const [salt, nonce] = [randomBytes(saltBytes), randomBytes(nonceBytes)];
  const cipher = createCipheriv("aes-256-gcm", scryptSync(passphrase, salt, 32, cost), nonce).setAAD(form);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([form, salt, nonce, cipher.getAuthTag(), body]).toString("base64");
}

/** Decrypts what `sealUnder` gave; `null` where the passphrase is another one or a byte was altered. */
export function openUnder(passphrase: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64");
  const body = 1 + saltBytes + nonceBytes + tagBytes;
  if (bytes.length < body || !bytes.subarray(0, 1).equals(form)) return null;
  const salt = bytes.subarray(1, 1 + saltBytes);
  const nonce = bytes.subarray(1 + saltBytes, 1 + saltBytes + nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", scryptSync(passphrase, salt, 32, cost), nonce).setAAD(form);
  decipher.setAuthTag(bytes.subarray(body - tagBytes, body));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
