import { useSyncExternalStore } from "react";

const lengths = { second: 1000, minute: 60_000 } as const;

/** Tells the time to whatever shows it, and again once a second or a minute. */
function clock(everyMs: number): { subscribe: (tell: () => void) => () => void; now: () => number } {
  const listeners = new Set<() => void>();
  let shown = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    shown = Date.now();
    for (const tell of listeners) tell();
  };
  return {
    subscribe: (tell) => {
      if (listeners.size === 0) {
        shown = Date.now();
        timer = setInterval(tick, everyMs);
      }
      listeners.add(tell);
      return () => {
        listeners.delete(tell);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
    now: () => {
      if (listeners.size === 0 && Date.now() - shown >= everyMs) shown = Date.now();
      return shown;
    },
  };
}

const clocks = { second: clock(lengths.second), minute: clock(lengths.minute) };

/** The time now, in milliseconds, told anew each second or each minute; all that shows it agrees. */
export function useNow(each: keyof typeof lengths): number {
  const { subscribe, now } = clocks[each];
  return useSyncExternalStore(subscribe, now);
}
