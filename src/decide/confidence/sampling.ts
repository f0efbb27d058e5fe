import type { Digest } from "../../contract/ports.ts";
import { onePpm } from "../../contract/words.ts";

/** Says whether a decision is in the sample: a deterministic function of its id and the rate, so that nobody can pick. */
export function isSampled({ decisionId, ratePpm, digest }: { decisionId: string; ratePpm: number; digest: Digest }): boolean {
  const share = Number.parseInt(digest.sha256(`judge:${decisionId}`).slice(0, 12), 16) / 2 ** 48;
  return share * onePpm < ratePpm;
}
