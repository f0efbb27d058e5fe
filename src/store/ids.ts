import { hash, randomFillSync } from "node:crypto";
import type { Clock, Ids } from "../contract/ports.ts";

const poolBytes = 10 * 256;

/**
 * Makes ids of UUID version 7 (RFC 9562, 5.7): 48 bits of the clock's milliseconds, then random bits.
 * Random bytes are drawn in pools, since one system call an id costs more than the id.
 */
export function uuidIds(clock: Clock): Ids {
  const pool = Buffer.allocUnsafe(poolBytes);
  let used = poolBytes;
  return {
    next() {
      if (used === poolBytes) {
        randomFillSync(pool);
        used = 0;
      }
      const random = pool.toString("hex", used, used + 10);
      used += 10;
      const time = clock.now().toString(16).padStart(12, "0");
      const variant = ((Number.parseInt(random.charAt(3), 16) & 0x3) | 0x8).toString(16);
      return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
    },
  };
}

/** A UUID of version 8 (RFC 9562, 5.8) that stands for what a text names: the same each time, so that of two rows with it one is refused. */
export function hashId(text: string): string {
  const digest = hash("sha256", text, "hex");
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Says whether a text has the form of an id; checked before it goes into a query. */
export function isId(text: string): boolean {
  return uuidPattern.test(text);
}

/** The least id that a clock which shows this many milliseconds since the epoch can give. */
export function firstIdOf(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0").slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
