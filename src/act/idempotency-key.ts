import { canonicalJson } from "../contract/json.ts";
import type { Digest } from "../contract/ports.ts";

/** The key that the target sees: SHA-256 in hex over tenant, effect, business key and generation. The same for every send of an operation. */
export function idempotencyKeyOf(
  { tenant, effect, key, generation }: { tenant: string; effect: string; key: string; generation: number },
  digest: Digest,
): string {
  return digest.sha256(canonicalJson([tenant, effect, key, generation]));
}
