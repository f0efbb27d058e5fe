import type { Digest } from "./ports.ts";

/**
 * A place from 0 to below 1 that a text's hash gives it: the same each time, spread evenly, and nobody can pick it. It has 48 bits, which are
 * exact in a number and far finer than a part per million.
 */
export function hashedShare(text: string, digest: Digest): number {
  return Number.parseInt(digest.sha256(text).slice(0, 12), 16) / 2 ** 48;
}
