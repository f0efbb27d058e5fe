import { useEffect, useRef } from "react";

/** Measures how long what is drawn was visible and its window had focus, in milliseconds; gives the time so far. */
export function useViewed(): () => number {
  const spent = useRef({ ms: 0, since: null as number | null });
  useEffect(() => {
    const time = spent.current;
    time.ms = 0;
    time.since = isLookedAt() ? performance.now() : null;
    const change = () => {
      const now = performance.now();
      if (time.since !== null) time.ms += now - time.since;
      time.since = isLookedAt() ? now : null;
    };
    const names = ["focus", "blur", "visibilitychange"] as const;
    for (const name of names) window.addEventListener(name, change, true);
    return () => {
      for (const name of names) window.removeEventListener(name, change, true);
    };
  }, []);
  return () => {
    const { ms, since } = spent.current;
    return Math.round(ms + (since === null ? 0 : performance.now() - since));
  };
}

function isLookedAt(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}
