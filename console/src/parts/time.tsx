import type { ReactNode } from "react";
import { dateOf, timeWords, wholeTime } from "../words/times.ts";
import { useNow } from "./now.tsx";

/** A point in time in UTC, absolute; the whole of it as the title. */
export function Time({ at, isExact = true }: { readonly at: number; readonly isExact?: boolean }): ReactNode {
  const now = useNow("minute");
  return (
    <time dateTime={dateOf(at).toISOString()} title={wholeTime(at)}>
      {timeWords(at, now, isExact)} UTC
    </time>
  );
}
