import { useEffect, useState } from "react";
import { useNow } from "../../parts/now.tsx";

const longest = 2 ** 31 - 1;

/** The time now, told anew each minute, and at the very moment at which something ends. */
export function useNowUntil(end: number | null): number {
  const now = useNow("minute");
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    if (end === null) return;
    const left = end - Date.now();
    if (left > longest) return;
    const timer = setTimeout(() => setPassed(end), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [end]);
  return end !== null && passed === end ? Math.max(now, end) : now;
}
