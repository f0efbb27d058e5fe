import { seeded } from "../../contract/seeded.ts";

/** Draws whole numbers from 0 up to, not including, the given one. */
export type Roll = (below: number) => number;

/** Makes draws that are the same for the same seed. */
export function rollFrom(seed: number): Roll {
  const next = seeded(seed);
  return (below) => Math.floor(next() * below);
}

/** One of the list, by a draw. */
export function oneOf<T>(roll: Roll, [first, ...others]: readonly [T, ...T[]]): T {
  const at = roll(others.length + 1);
  return at === 0 ? first : (others[at - 1] ?? first);
}
