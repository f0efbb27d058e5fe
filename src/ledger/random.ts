import { randomFillSync } from "node:crypto";

/** Draws random bytes; injected so that a test can fix them. */
export type RandomBytes = (size: number) => Buffer;

const poolBytes = 8192;

/** Draws random bytes in pools: one system call for each nonce and salt would cost more than the encryption. */
export function pooledRandom(): RandomBytes {
  let pool = Buffer.alloc(0);
  let used = 0;
  return (size) => {
    if (used + size > pool.length) {
      // A new pool each time, since parts of the last one are still in use.
      pool = randomFillSync(Buffer.allocUnsafeSlow(Math.max(poolBytes, size)));
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}
