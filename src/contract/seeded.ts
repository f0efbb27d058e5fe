/**
 * Numbers from 0 to below 1 that look like chance and are the same for the same seed, so that an interval can be computed again: mulberry32
 * by T. Ettinger, 32 bits of state; good enough to draw samples, and no secret.
 */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
