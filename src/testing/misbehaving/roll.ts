/** Draws whole numbers from 0 up to, not including, the given one. */
export type Roll = (below: number) => number;

/** Makes draws that are the same for the same seed. */
export function rollFrom(seed: number): Roll {
  let state = seed | 0;
  // mulberry32: 32 bits of state are enough to vary faults, and the same on every machine.
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** One of the list, by a draw. */
export function oneOf<T>(roll: Roll, [first, ...others]: readonly [T, ...T[]]): T {
  const at = roll(others.length + 1);
  return at === 0 ? first : (others[at - 1] ?? first);
}
