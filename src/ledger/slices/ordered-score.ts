import type { Digest } from "../../contract/ports.ts";

/**
 * A confidence with a place among equal ones that its decision's id gives it, in billionths of a part per million: no two are the same, and
 * whoever chose the confidence did not choose the place.
 */
export function orderedScore({ ppm, decisionId }: { ppm: number; decisionId: string }, digest: Digest): number {
  const share = Number.parseInt(digest.sha256(`order:${decisionId}`).slice(0, 12), 16) / 2 ** 48;
  return ppm * inOnePpm + Math.floor(share * inOnePpm);
}

const inOnePpm = 1_000_000_000;
