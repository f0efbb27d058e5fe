import { seeded } from "../../src/contract/seeded.ts";

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

/** Numbers from a seed: nothing here needs better ones. */
export function randomFrom(seed: number): Random {
  const next = seeded(seed);
  const below = (count: number): number => Math.floor(next() * count);
  return { next, below, chance: (share) => next() < share, oneOf: (list) => list[below(list.length)] };
}
