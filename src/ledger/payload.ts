// Payloads: the long or personal bodies of an entry, encrypted per tenant, erasable. The entry holds only commitments to them.
// Never store a body in clear, and never derive a salt: a derived salt would survive the erasure of its body.
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hash, hkdfSync, type KeyObject } from "node:crypto";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { CountersignError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { TenantSalts } from "../store/database.ts";
import { pooledRandom, type RandomBytes } from "./random.ts";

/** One body with its salt: 32 hex characters. The commitment is SHA-256 over the ASCII salt followed by the text's UTF-8 bytes. */
export interface SaltedBody {
  readonly name: string;
  readonly salt: string;
  /** Canonical JSON, hence without a newline. */
  readonly text: string;
}

/** Encrypts and decrypts payloads and hashes what must not be guessed, with keys derived from one root key per tenant. */
export interface PayloadKeys {
  readonly encrypt: (payload: { tenant: string; entryId: string; bodies: readonly SaltedBody[] }) => Buffer;
  /** Throws `payload_unreadable` when the key, the tenant, the entry or a byte is not the one that was written. */
  readonly decrypt: (payload: { tenant: string; entryId: string; body: Buffer }) => readonly SaltedBody[];
  /** HMAC-SHA256 in hex under the tenant's own key: a plain hash of a short input could be guessed. */
  readonly keyedHash: (keyed: { tenant: string; text: string }) => string;
  /** Makes sure that a tenant's key can be made, outside a transaction that names the tenant. */
  readonly know: (tenant: string) => Promise<void>;
}

type TenantKeys = { readonly salt: Buffer | null; readonly payload: KeyObject; readonly hash: KeyObject };

const nonceBytes = 12;
const tagBytes = 16;
/** First byte of a stored payload: how the text was written before it was encrypted. */
const plain = 1;
const deflated = 2;

/**
 * Derives each tenant's keys from a root key of 32 bytes and the tenant's own salt (HKDF-SHA256), and keeps them while that salt stands.
 * Without `salts` every tenant is taken to have none. What needs a key whose salt was destroyed throws `payload_unreadable`.
 */
export function payloadKeys(
  rootKey: Buffer,
  random: RandomBytes = pooledRandom(),
  salts: TenantSalts = withoutSalts,
): PayloadKeys {
  if (rootKey.length !== 32) {
    throw new CountersignError(
      "configuration_invalid",
      "the payload key must have 32 bytes; make one with `openssl rand -base64 32`",
    );
  }
  const known = new Map<string, TenantKeys>();
  const keysOf = (tenant: string): TenantKeys => {
    const salt = salts.saltOf(tenant);
    const keys = known.get(tenant);
    if (keys !== undefined && isSame(keys.salt, salt)) return keys;
    // What was made under another salt is forgotten here too.
    known.delete(tenant);
    if (salt === undefined || salt?.length === 0) throw gone(salt);
    const made = {
      salt,
      payload: derive({ rootKey, tenant, salt, use: "payload" }),
      hash: derive({ rootKey, tenant, salt, use: "hash" }),
    };
    known.set(tenant, made);
    return made;
  };
  return {
    encrypt: ({ tenant, entryId, bodies }) =>
      encryptText({
        key: keysOf(tenant).payload,
        context: contextOf(tenant, entryId),
        text: textOf(bodies),
        nonce: random(nonceBytes),
      }),
    decrypt: ({ tenant, entryId, body }) =>
      bodiesOf(decryptText({ key: keysOf(tenant).payload, context: contextOf(tenant, entryId), body })),
    keyedHash: ({ tenant, text }) => createHmac("sha256", keysOf(tenant).hash).update(text).digest("hex"),
    know: (tenant) => salts.know(tenant),
  };
}

/** The commitment to a body that stands in the entry, in hex. */
export function commitmentOf({ salt, text }: Pick<SaltedBody, "salt" | "text">): string {
  return hash("sha256", salt + text, "hex");
}

const withoutSalts: TenantSalts = { saltOf: () => null, know: async () => {} };

function isSame(one: Buffer | null, other: Buffer | null | undefined): boolean {
  return one === other || (one !== null && other !== null && other !== undefined && one.equals(other));
}

function gone(salt: Buffer | undefined): CountersignError {
  const why = salt === undefined ? "was not looked up" : "was destroyed when the tenant was closed";
  return new CountersignError("payload_unreadable", `the tenant's key ${why}`);
}

interface Derivation {
  readonly rootKey: Buffer;
  readonly tenant: string;
  readonly salt: Buffer | null;
  readonly use: "payload" | "hash";
}

function derive({ rootKey, tenant, salt, use }: Derivation): KeyObject {
  // An id holds no NUL, so no tenant's id and salt read like another's.
  const mixed = salt === null ? Buffer.from(tenant) : Buffer.concat([Buffer.from(`${tenant}\0`), salt]);
  return createSecretKey(Buffer.from(hkdfSync("sha256", rootKey, mixed, `countersign ${use} v1`, 32)));
}

// A payload that is moved to another entry or tenant does not decrypt.
function contextOf(tenant: string, entryId: string): Buffer {
  return Buffer.from(`${tenant}\n${entryId}`);
}

// Three lines a body: canonical JSON holds no newline, so a verifier needs no parser to cut the exact bytes out again.
function textOf(bodies: readonly SaltedBody[]): string {
  let text = "";
  for (const { name, salt, text: body } of bodies) text += `${name}\n${salt}\n${body}\n`;
  return text;
}

function bodiesOf(text: string): readonly SaltedBody[] {
  const lines = text.split("\n");
  const bodies: SaltedBody[] = [];
  for (let i = 0; i + 2 < lines.length; i += 3)
    bodies.push({ name: lines[i] ?? "", salt: lines[i + 1] ?? "", text: lines[i + 2] ?? "" });
  return bodies;
}

type Encryption = { readonly key: KeyObject; readonly context: Buffer; readonly text: string; readonly nonce: Buffer };

/**
 * From this length on a payload is deflated: it would leave the row's page and be cut into chunks. Measured on one of 4.2 KB,
 * deflating saves 2.5 KB of write-ahead log and costs 30 µs, more than everything else that is done to it; below, it does not pay.
 */
const deflateFrom = 8_000;
/** A small window: the usual one makes zlib clear 256 KB for every payload. */
const deflateOptions = { level: constants.Z_BEST_SPEED, windowBits: 12, memLevel: 5 };

function encryptText({ key, context, text, nonce }: Encryption): Buffer {
  if (text.length > limits.payloadBytes || Buffer.byteLength(text) > limits.payloadBytes) {
    throw new CountersignError("too_large", `the payload of a decision is larger than ${limits.payloadBytes} bytes`);
  }
  const isDeflated = text.length >= deflateFrom;
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(context);
  const body = isDeflated ? cipher.update(deflateRawSync(text, deflateOptions)) : cipher.update(text, "utf8");
  cipher.final();
  return Buffer.concat([Buffer.of(isDeflated ? deflated : plain), nonce, body, cipher.getAuthTag()]);
}

function decryptText({ key, context, body }: { key: KeyObject; context: Buffer; body: Buffer }): string {
  try {
    const form = body[0];
    if ((form !== plain && form !== deflated) || body.length < 1 + nonceBytes + tagBytes) throw new Error("not a payload");
    const decipher = createDecipheriv("aes-256-gcm", key, body.subarray(1, 1 + nonceBytes), { authTagLength: tagBytes });
    decipher.setAAD(context).setAuthTag(body.subarray(body.length - tagBytes));
    const clear = Buffer.concat([decipher.update(body.subarray(1 + nonceBytes, body.length - tagBytes)), decipher.final()]);
    return (form === deflated ? inflateRawSync(clear, { maxOutputLength: limits.payloadBytes }) : clear).toString("utf8");
  } catch (cause) {
    throw new CountersignError("payload_unreadable", "a payload does not decrypt; it was altered, or written under another key", {
      cause,
    });
  }
}
