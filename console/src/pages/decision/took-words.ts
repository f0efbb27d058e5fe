import { durationWords } from "../../words/times.ts";

const seconds = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });

/** How long a part of a decision took: `412 ms`, `2.28 s`, then in minutes. */
export function tookWords(ms: number): string {
  return ms >= 1_000 && ms < 60_000 ? `${seconds.format(ms / 1_000)} s` : durationWords(ms);
}
