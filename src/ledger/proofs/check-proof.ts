import { emptyRoot, leafHash, nodeHash } from "./merkle.ts";

/** What is said of one leaf: where it stands, in a tree of which size and root, and the hashes that prove it. */
export interface Inclusion {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly root: Uint8Array;
  readonly hashes: readonly Uint8Array[];
}

/** Says whether a leaf stands where it is said to stand (RFC 9162, 2.1.3.2). */
export function isIncluded({ leaf, index, size, root, hashes }: Inclusion): boolean {
  if (!isPlace(index) || !isPlace(size) || index >= size || !hashes.every(isHash)) return false;
  let [place, last] = [index, size - 1];
  let sum: Uint8Array = leafHash(leaf);
  for (const one of hashes) {
    if (last === 0) return false;
    if (isOdd(place) || place === last) {
      sum = nodeHash(one, sum);
      [place, last] = upPastEven(place, last);
    } else sum = nodeHash(sum, one);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && isSame(sum, root);
}

/** Two trees, and the hashes that prove that the second begins with all of the first. */
export interface Consistency {
  readonly from: { readonly size: number; readonly root: Uint8Array };
  readonly to: { readonly size: number; readonly root: Uint8Array };
  readonly hashes: readonly Uint8Array[];
}

/** Says whether the second tree continues the first (RFC 9162, 2.1.4.2). Every tree continues the empty one, with no hashes. */
export function isConsistent({ from, to, hashes }: Consistency): boolean {
  if (!isPlace(from.size) || !isPlace(to.size) || from.size > to.size || !hashes.every(isHash)) return false;
  if (from.size === 0) return hashes.length === 0 && isSame(from.root, emptyRoot);
  if (from.size === to.size) return hashes.length === 0 && isSame(from.root, to.root);
  return hashes.length > 0 && doesContinue({ from, to, hashes });
}

function doesContinue({ from, to, hashes }: Consistency): boolean {
  let [place, last] = [from.size - 1, to.size - 1];
  while (isOdd(place)) [place, last] = [half(place), half(last)];
  // Where the smaller tree is a full one its root is the first part, and not sent.
  const [first = from.root, ...rest] = place === 0 ? [from.root, ...hashes] : hashes;
  let [smaller, larger] = [first, first];
  for (const one of rest) {
    if (last === 0) return false;
    if (isOdd(place) || place === last) {
      smaller = nodeHash(one, smaller);
      larger = nodeHash(one, larger);
      [place, last] = upPastEven(place, last);
    } else larger = nodeHash(larger, one);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && isSame(smaller, from.root) && isSame(larger, to.root);
}

/** Up the tree while the place is a left child and not the first: there the part ends, and nothing stands to its right. */
function upPastEven(place: number, last: number): [number, number] {
  let [up, lastUp] = [place, last];
  while (!isOdd(up) && up !== 0) [up, lastUp] = [half(up), half(lastUp)];
  return [up, lastUp];
}

function isPlace(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isHash(one: Uint8Array): boolean {
  return one.length === 32;
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}

/** Sizes are safe integers and may be above 2^32, where shifts end. */
function half(value: number): number {
  return Math.floor(value / 2);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
