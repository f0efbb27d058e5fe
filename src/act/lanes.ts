/** Runs pieces of work side by side, up to a number; a failure is reported and ends nothing but its own piece. */
export interface Lanes {
  /** How many pieces of a tenant's work may begin now. A tenant whose calls hang never has all lanes, so others go on. */
  readonly room: (tenant: string) => number;
  /** Begins a piece of work; resolves when it has begun (with one lane: when it has ended). */
  readonly run: (tenant: string, work: () => Promise<unknown>) => Promise<void>;
  /** Resolves when a piece of work has ended, at once where none is under way, and after `ms` milliseconds in any case. */
  readonly change: (ms: number) => Promise<void>;
  /** Resolves when everything that was begun has ended. */
  readonly idle: () => Promise<void>;
}

/** Of all lanes, the share that one tenant may have at a time. */
const tenantShare = 0.5;

/** Makes lanes. With one lane the order of work is fixed, which is what a test and a single round want. */
export function createLanes({ count, onError }: { count: number; onError: (thrown: unknown) => void }): Lanes {
  const busy = new Map<Promise<void>, string>();
  const share = Math.max(1, Math.floor(count * tenantShare));
  const busyOf = (tenant: string): number => [...busy.values()].filter((one) => one === tenant).length;
  return {
    room: (tenant) => (count === 1 ? Number.POSITIVE_INFINITY : Math.max(0, Math.min(count - busy.size, share - busyOf(tenant)))),
    async run(tenant, work) {
      const running: Promise<void> = work()
        .then(() => {}, onError)
        .then(() => {
          busy.delete(running);
        });
      busy.set(running, tenant);
      if (count === 1) await running;
    },
    async change(ms) {
      if (busy.size === 0) return;
      const timer = Promise.withResolvers<void>();
      const timeout = setTimeout(timer.resolve, ms);
      await Promise.race([...busy.keys(), timer.promise]);
      clearTimeout(timeout);
    },
    async idle() {
      while (busy.size > 0) await Promise.all(busy.keys());
    },
  };
}
