/** A source of numbers that a seed repeats. */
export interface Random {
  /** A number of at least 0 and below 1. */
  readonly next: () => number;
  /** A whole number of at least 0 and below `count`. */
  readonly below: (count: number) => number;
  readonly chance: (share: number) => boolean;
  /** One of a list, or `undefined` of an empty one. */
  readonly oneOf: <T>(list: readonly T[]) => T | undefined;
}

/** Numbers from a seed, by mulberry32: nothing here needs better ones. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return { next, below, chance: (share) => next() < share, oneOf: (list) => list[below(list.length)] };
}
