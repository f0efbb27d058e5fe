/** Lets a limited number of works in at once; the others wait in the order they came. */
export interface Turnstile {
  readonly pass: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Makes a turnstile; this is the back-pressure of the journal, which drops nothing. */
export function createTurnstile(capacity: number): Turnstile {
  const queue: (() => void)[] = [];
  let inside = 0;
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) inside -= 1;
    else next();
  };
  return {
    pass: async (work) => {
      if (inside < capacity) inside += 1;
      else await new Promise<void>((enter) => void queue.push(enter));
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
