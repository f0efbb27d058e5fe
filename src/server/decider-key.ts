import { createHmac } from "node:crypto";

/**
 * The key under which a person is known to the decider: HMAC-SHA256 over `countersign decider` with the person's own key, base64url
 * without padding, behind `csd_`. The desk forwards this one, and the decider's `COUNTERSIGN_API_KEYS` holds hashes of such keys alone:
 * what the deciding process sees of a person opens the decider and nothing else, and the person's own key does not follow from it.
 */
export function deciderKeyOf(key: string): string {
  return `csd_${createHmac("sha256", key).update("countersign decider").digest("base64url")}`;
}
