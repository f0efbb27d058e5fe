import { CountersignError } from "../../contract/errors.ts";
import { type GrowingTree, growTree } from "./merkle.ts";

/** A stretch of leaves whose hash is part of a proof: from the first, counted from 0, up to the one before `end`. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * The stretches whose hashes prove that a leaf stands at `index` in a tree of `size` leaves, in the order of the proof: PATH of RFC 9162,
 * 2.1.3.1. Throws `bad_request` where there is no such leaf.
 */
export function inclusionStretches({ index, size }: { index: number; size: number }): readonly Stretch[] {
  if (!isCount(index) || !isCount(size) || index >= size)
    throw new CountersignError("bad_request", `a tree of ${size} leaves has none at ${index}`);
  const stretches: Stretch[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start);
    const isLeft = index < middle;
    stretches.unshift(isLeft ? { start: middle, end } : { start, end: middle });
    [start, end] = isLeft ? [start, middle] : [middle, end];
  }
  return stretches;
}

/**
 * The stretches whose hashes prove that a tree of `to` leaves continues one of `from`, in the order of the proof: PROOF of RFC 9162,
 * 2.1.4.1. None where the sizes are equal or `from` is 0. Throws `bad_request` where `from` is the larger one.
 */
export function consistencyStretches({ from, to }: { from: number; to: number }): readonly Stretch[] {
  if (!isCount(from) || !isCount(to) || from > to)
    throw new CountersignError("bad_request", `a tree of ${to} leaves does not continue one of ${from}`);
  const stretches: Stretch[] = [];
  if (from === 0 || from === to) return stretches;
  let [start, end] = [0, to];
  while (end !== from) {
    const middle = start + largestPowerBelow(end - start);
    const isLeft = from <= middle;
    stretches.unshift(isLeft ? { start: middle, end } : { start, end: middle });
    [start, end] = isLeft ? [start, middle] : [middle, end];
  }
  // What is left is the last part of the smaller tree; where it is that tree whole, whoever checks has its root.
  return start === 0 ? stretches : [{ start, end }, ...stretches];
}

/** Hashes stretches of leaves that are handed over in order. */
export interface StretchHasher {
  readonly append: (leaf: Uint8Array) => void;
  /** The hash of each stretch, in the order in which they were asked for. Throws `bad_request` where leaves are missing. */
  readonly hashes: () => readonly Buffer[];
}

/** Opens a hasher of stretches that do not overlap: one pass over the leaves, one hash kept for each. */
export function hashStretches(stretches: readonly Stretch[]): StretchHasher {
  const inOrder = stretches.map((stretch, place) => ({ ...stretch, place })).sort((one, other) => one.start - other.start);
  const found = new Map<number, Buffer>();
  let at = 0;
  let next = 0;
  let tree: GrowingTree = growTree();
  return {
    append(leaf) {
      const stretch = inOrder[next];
      if (stretch !== undefined && at >= stretch.start) {
        tree.append(leaf);
        if (at + 1 === stretch.end) {
          found.set(stretch.place, tree.root());
          tree = growTree();
          next += 1;
        }
      }
      at += 1;
    },
    hashes: () =>
      stretches.map((_, place) => {
        const one = found.get(place);
        if (one === undefined) throw new CountersignError("bad_request", "the tree ends before what is to be proved of it");
        return one;
      }),
  };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** The largest power of two below a size of at least 2. */
function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}
