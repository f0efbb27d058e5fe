/** Where each run of n tokens stood for the first time. Exact: runs of one hash are compared token by token. */
import type { Tokens } from "./tokens.ts";

/** For each token, the place of the first run of n tokens that is equal to the one that begins here; -1 where none of its own text begins. */
export interface Grams {
  readonly n: number;
  readonly first: Int32Array;
}

/** Finds equal runs. Linear in the number of tokens: hashes by a rolling sum, equals by a radix sort. */
export function gramsOf({ ids, starts }: Tokens, n: number): Grams {
  const first = new Int32Array(ids.length).fill(-1);
  const { places, hashes } = sorted(hashed(ids, starts, n));
  for (let from = 0; from < places.length; ) {
    let to = from + 1;
    while (to < places.length && hashes[to] === hashes[from]) to += 1;
    const place = places[from] ?? 0;
    if (to === from + 1) first[place] = place;
    else settle({ ids, n, first, places, from, to });
    from = to;
  }
  return { n, first };
}

/** Of runs with one hash, which are equal: each is given the place of the first that is equal to it. The sort keeps them in order. */
function settle({
  ids,
  n,
  first,
  places,
  from,
  to,
}: {
  ids: Int32Array;
  n: number;
  first: Int32Array;
  places: Int32Array;
  from: number;
  to: number;
}): void {
  const heads: number[] = [];
  for (let i = from; i < to; i += 1) {
    const place = places[i] ?? 0;
    const head = heads.find((one) => isEqual(ids, one, place, n));
    if (head === undefined) heads.push(place);
    first[place] = head ?? place;
  }
}

interface Hashed {
  readonly places: Int32Array;
  readonly hashes: Uint32Array;
}

function isEqual(ids: Int32Array, one: number, other: number, n: number): boolean {
  for (let i = 0; i < n; i += 1) if (ids[one + i] !== ids[other + i]) return false;
  return true;
}

/** A rolling hash modulo 2^32 (Karp and Rabin, 1987), mixed at the end so that its high bits count as well. */
function hashed(ids: Int32Array, starts: readonly number[], n: number): Hashed {
  const counts = starts.slice(0, -1).map((start, text) => Math.max(0, (starts[text + 1] ?? start) - start - n + 1));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const [places, hashes] = [new Int32Array(total), new Uint32Array(total)];
  let high = 1;
  for (let i = 1; i < n; i += 1) high = Math.imul(high, base);
  let next = 0;
  for (const [text, count] of counts.entries()) {
    const start = starts[text] ?? 0;
    let hash = 0;
    for (let i = 0; i < n - 1 && count > 0; i += 1) hash = Math.imul(hash, base) + spread(ids[start + i]);
    for (let i = 0; i < count; i += 1) {
      hash = (Math.imul(hash, base) + spread(ids[start + i + n - 1])) | 0;
      places[next] = start + i;
      hashes[next] = mixed(hash);
      next += 1;
      hash = (hash - Math.imul(spread(ids[start + i]), high)) | 0;
    }
  }
  return { places, hashes };
}

const base = 0x01000193;

function spread(id = 0): number {
  return Math.imul(id + 1, 0x9e3779b1);
}

/** The finaliser of MurmurHash3 (Appleby, public domain). */
function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Bits of one pass: as many buckets as a first-level cache holds. */
const radixBits = 11;

/** In the order of the hashes, equal ones in their own order (LSD radix sort). Hashes travel along, so that none is looked up again. */
function sorted({ places, hashes }: Hashed): Hashed {
  let from: Hashed = { places, hashes };
  let to: Hashed = { places: new Int32Array(places.length), hashes: new Uint32Array(hashes.length) };
  for (let shift = 0; shift < 32; shift += radixBits) {
    scatter({ from, to, shift });
    [from, to] = [to, from];
  }
  return from;
}

function scatter({ from, to, shift }: { from: Hashed; to: Hashed; shift: number }): void {
  const mask = (1 << radixBits) - 1;
  const next = new Uint32Array(mask + 2);
  for (let i = 0; i < from.hashes.length; i += 1) {
    const bucket = ((from.hashes[i] ?? 0) >>> shift) & mask;
    next[bucket + 1] = (next[bucket + 1] ?? 0) + 1;
  }
  for (let i = 1; i < next.length; i += 1) next[i] = (next[i] ?? 0) + (next[i - 1] ?? 0);
  for (let i = 0; i < from.hashes.length; i += 1) {
    const hash = from.hashes[i] ?? 0;
    const bucket = (hash >>> shift) & mask;
    const at = next[bucket] ?? 0;
    to.hashes[at] = hash;
    to.places[at] = from.places[i] ?? 0;
    next[bucket] = at + 1;
  }
}
