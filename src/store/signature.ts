import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { CountersignError } from "../contract/errors.ts";

/** A private Ed25519 key with the fingerprint of its public half. */
export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** Public Ed25519 keys by fingerprint. */
export type PublicKeys = ReadonlyMap<string, KeyObject>;

/** Reads an Ed25519 private key (PKCS8, DER, base64). Throws `configuration_invalid`, never with the text. */
export function readSigningKey(base64: string): SigningKey {
  const privateKey = readKey(() => createPrivateKey({ key: Buffer.from(base64, "base64"), format: "der", type: "pkcs8" }));
  return { keyId: keyIdOf(createPublicKey(privateKey)), privateKey };
}

/** Reads Ed25519 public keys (SPKI, DER, base64). Throws `configuration_invalid`. */
export function readPublicKeys(base64: readonly string[]): PublicKeys {
  const keys = base64.map((one) =>
    readKey(() => createPublicKey({ key: Buffer.from(one, "base64"), format: "der", type: "spki" })),
  );
  return new Map(keys.map((key) => [keyIdOf(key), key]));
}

/** The public half of a signing key, by its fingerprint. */
export function publicKeysOf({ keyId, privateKey }: SigningKey): PublicKeys {
  return new Map([[keyId, createPublicKey(privateKey)]]);
}

/** Signs text with Ed25519 (RFC 8032) over its UTF-8 bytes; the signature is in base64url. */
export function signText(key: SigningKey, text: string): string {
  return sign(null, Buffer.from(text), key.privateKey).toString("base64url");
}

/** Says whether the signature over the text is good under the key; a malformed one is not. */
export function isSignedBy(key: KeyObject, { text, signature }: { text: string; signature: string }): boolean {
  const bytes = Buffer.from(signature, "base64url");
  // The one accepted spelling: decoding skips characters that are not base64url, so another text could give the same bytes.
  if (bytes.length !== 64 || bytes.toString("base64url") !== signature) return false;
  return verify(null, Buffer.from(text), key, bytes);
}

/** Says of a signed text whether it was signed under one of these keys. */
export function signedUnder(keys: PublicKeys): (signed: { text: string; keyId: string; signature: string }) => boolean {
  return ({ keyId, ...signed }) => {
    const key = keys.get(keyId);
    return key !== undefined && isSignedBy(key, signed);
  };
}

/** SHA-256 of the public key (SPKI, DER) in hex: its fingerprint. */
function keyIdOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ format: "der", type: "spki" }))
    .digest("hex");
}

function readKey(read: () => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw invalidKey();
  }
  if (key.asymmetricKeyType !== "ed25519") throw invalidKey();
  return key;
}

function invalidKey(): CountersignError {
  return new CountersignError("configuration_invalid", "a signing key is not Ed25519 in DER as base64; make a new one");
}
