import { createHash, randomBytes } from "node:crypto";

/** Makes an API key: 192 bits of chance behind `csk_`. */
export function newApiKey(): string {
  return `csk_${randomBytes(24).toString("base64url")}`;
}

/** What is kept of a key, and looked up: its SHA-256. */
export function hashOfKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
