import { hashedShare } from "../../contract/hashed-share.ts";
import type { Digest } from "../../contract/ports.ts";

/**
 * A confidence with a place among equal ones that its decision's id gives it, in billionths of a part per million: no two are the same, and
 * whoever chose the confidence did not choose the place.
 */
export function orderedScore({ ppm, decisionId }: { ppm: number; decisionId: string }, digest: Digest): number {
  return ppm * inOnePpm + Math.floor(hashedShare(`order:${decisionId}`, digest) * inOnePpm);
}

const inOnePpm = 1_000_000_000;
