import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import type { StandInKey } from "../contract/ports.ts";

/** A key of 32 fresh random bytes, under which stand-ins are drawn that nobody can take back. */
export function newStandInKey(): StandInKey {
  const key = createSecretKey(randomBytes(32));
  return { mac: (text) => createHmac("sha256", key).update(text).digest() };
}
