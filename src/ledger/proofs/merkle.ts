/**
 * Merkle trees over entry hashes, and what is proved and signed of them: inclusion, consistency, checkpoints, exports. It reads what is
 * sealed and writes nothing to the database; nothing here decides, approves or acts.
 */
import { hash } from "node:crypto";

/** The root of a tree that holds nothing: SHA-256 of no bytes (RFC 9162, 2.1.1). */
export const emptyRoot: Buffer = hash("sha256", "", "buffer");

/** The hash of a leaf: SHA-256 over 0x00 and the leaf's bytes (RFC 9162, 2.1.1). */
export function leafHash(leaf: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(1 + leaf.length);
  bytes[0] = 0;
  bytes.set(leaf, 1);
  return hash("sha256", bytes, "buffer");
}

/** The hash of a node: SHA-256 over 0x01 and the hashes below it, 32 bytes each (RFC 9162, 2.1.1). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(65);
  bytes[0] = 1;
  bytes.set(left, 1);
  bytes.set(right, 33);
  return hash("sha256", bytes, "buffer");
}

/** A tree that leaves are added to at its right end. It keeps one hash for each full part, so a million leaves need twenty. */
export interface GrowingTree {
  readonly append: (leaf: Uint8Array) => void;
  readonly size: () => number;
  /** The root over what was added until now; it may be asked at any size. */
  readonly root: () => Buffer;
}

/** Opens an empty tree. */
export function growTree(): GrowingTree {
  // The full parts from left to right, the largest first: their sizes are the ones in the binary form of the size.
  const parts: Buffer[] = [];
  let size = 0;
  return {
    append(leaf) {
      let grown = leafHash(leaf);
      for (let left = size; left % 2 === 1; left = (left - 1) / 2) {
        const part = parts.pop();
        // There is one part for each one in the size, so it is there.
        if (part !== undefined) grown = nodeHash(part, grown);
      }
      parts.push(grown);
      size += 1;
    },
    size: () => size,
    root: () =>
      parts.reduceRight<Buffer | null>((right, left) => (right === null ? left : nodeHash(left, right)), null) ?? emptyRoot,
  };
}
