import type { ReactNode } from "react";
import { durationWords, timeWords, wholeTime } from "../words/times.ts";
import { useNow } from "./now.tsx";

const minute = 60_000;

/** When something that waits expires: the time first, then what is left of it. It changes each minute, in the last one each second. */
export function Expiry({ at }: { readonly at: number }): ReactNode {
  const byMinute = useNow("minute");
  const left = at - byMinute;
  return left < 2 * minute && left > -2 * minute ? <LastMinute at={at} /> : <ExpiryAt at={at} now={byMinute} />;
}

function LastMinute({ at }: { readonly at: number }): ReactNode {
  return <ExpiryAt at={at} now={useNow("second")} />;
}

function ExpiryAt({ at, now }: { readonly at: number; readonly now: number }): ReactNode {
  const left = at - now;
  const when = `${timeWords(at, now, false)} UTC`;
  const words = left <= 0 ? `expired ${when}` : `expires ${when}, in ${durationWords(left)}`;
  return (
    <span className={`expiry ${toneOf(left)}`} title={wholeTime(at)}>
      {words}
    </span>
  );
}

function toneOf(left: number): string {
  if (left <= 0) return "tone-quiet";
  if (left < 15 * minute) return "tone-stop";
  return left < 120 * minute ? "tone-wait" : "";
}
