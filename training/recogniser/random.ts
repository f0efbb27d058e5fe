import { seeded } from "../../src/contract/seeded.ts";

/** Numbers that look random and are the same for one seed. */
export interface Random {
  /** From 0 up to 1, without 1. */
  readonly next: () => number;
  /** A whole number from 0 up to `count`, without it. */
  readonly below: (count: number) => number;
  readonly isLucky: (share: number) => boolean;
  /** One of a list; throws where it is empty. */
  readonly pick: <T>(list: readonly T[]) => T;
}

/** Opens a row of such numbers. */
export function openRandom(seed: number): Random {
  const next = seeded(seed);
  const below = (count: number) => Math.floor(next() * count);
  return {
    ...{ next, below },
    isLucky: (share) => next() < share,
    pick: (list) => {
      const one = list[below(list.length)];
      if (one === undefined) throw new Error("nothing to pick from");
      return one;
    },
  };
}

/** One of several ways, each with its weight. */
export function pickWeighted<T>(random: Random, ways: readonly (readonly [weight: number, way: T])[]): T {
  let rest = random.next() * ways.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, way] of ways) {
    rest -= weight;
    if (rest < 0) return way;
  }
  // Rounding can leave a rest of nothing.
  return (ways.at(-1) as readonly [number, T])[1];
}
