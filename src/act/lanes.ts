/** Runs pieces of work side by side, up to a number; a failure is reported and ends nothing but its own piece. */
export interface Lanes {
  /** Begins a piece of work as soon as a lane is free; resolves when it has begun (with one lane: when it has ended). */
  readonly run: (work: () => Promise<unknown>) => Promise<void>;
  /** Resolves as soon as so many lanes are free, or all of them where there are fewer. */
  readonly free: (count: number) => Promise<void>;
  /** Resolves when everything that was begun has ended. */
  readonly idle: () => Promise<void>;
}

/** Makes lanes. With one lane the order of work is fixed, which is what a test and a single round want. */
export function createLanes({ count, onError }: { count: number; onError: (thrown: unknown) => void }): Lanes {
  const busy = new Set<Promise<void>>();
  const free = async (wanted: number): Promise<void> => {
    while (busy.size > Math.max(0, count - wanted)) await Promise.race(busy);
  };
  return {
    async run(work) {
      await free(1);
      const running: Promise<void> = work()
        .then(() => {}, onError)
        .then(() => {
          busy.delete(running);
        });
      busy.add(running);
      if (count === 1) await running;
    },
    free,
    async idle() {
      while (busy.size > 0) await Promise.all(busy);
    },
  };
}
