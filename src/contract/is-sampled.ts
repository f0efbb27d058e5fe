import { hashedShare } from "./hashed-share.ts";
import type { Digest } from "./ports.ts";
import { onePpm } from "./words.ts";

/** What a sample is drawn for: each is drawn apart from the others. */
export type Sampled = "judge" | "audit";

/** Says whether a decision is in a sample: a deterministic function of its id and the rate, so that nobody can pick. */
export function isSampled({
  of,
  decisionId,
  ratePpm,
  digest,
}: {
  of: Sampled;
  decisionId: string;
  ratePpm: number;
  digest: Digest;
}): boolean {
  return hashedShare(`${of}:${decisionId}`, digest) * onePpm < ratePpm;
}
