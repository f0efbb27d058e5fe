import { hashedShare } from "../../contract/hashed-share.ts";
import type { Digest } from "../../contract/ports.ts";
import { onePpm } from "../../contract/words.ts";

/**
 * Whether a decision belongs to the share that the new model decides: by a hash of the migration's and the decision's id, so that the same decision
 * always does, whoever asks, and a greater share holds all of a smaller one.
 */
export function isInShare({
  migrationId,
  decisionId,
  sharePpm,
  digest,
}: {
  migrationId: string;
  decisionId: string;
  sharePpm: number;
  digest: Digest;
}): boolean {
  return hashedShare(`${migrationId}\n${decisionId}`, digest) < sharePpm / onePpm;
}
