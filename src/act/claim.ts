import { CountersignError, faultName } from "../contract/errors.ts";
import { sha256Digest } from "../store/digest.ts";
import type { Acting } from "./acting.ts";
import type { Held } from "./held.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";

/** Whether the target knows this worker's fence by now, and so refuses those before it; `unclaimed` with the kind of fault. */
export type Claim = { readonly kind: "claimed" } | { readonly kind: "unclaimed"; readonly fault: string };

/**
 * Tells a target that keeps fences the fence of a take-over, before the look that a repeated send depends on. A send of an older worker
 * that is still on its way would else arrive between that look and the new send, and both would count. Nothing is changed by it.
 */
export async function claim(held: Held, { hands, clients, deadline }: Acting): Promise<Claim> {
  const { task, tenant, fence, generation } = held;
  const { effect, params, proposed } = task;
  if (effect.dedupe !== "fence") return { kind: "claimed" };
  const abort = new AbortController();
  try {
    const hand = hands.hands.find((one) => one.effect === effect);
    if (hand?.claim === undefined)
      throw new CountersignError("effect_unknown", `no \`claim\` is registered for \`${effect.name}\``);
    const run = await hand.claim.bind(clients);
    const idempotencyKey = idempotencyKeyOf({ tenant, effect: effect.name, key: proposed.key, generation }, sha256Digest);
    await deadline.within(effect.timeoutMs, run(params, { tenant, idempotencyKey, fence, signal: abort.signal }));
    return { kind: "claimed" };
  } catch (thrown) {
    abort.abort();
    return { kind: "unclaimed", fault: faultName(thrown) };
  }
}
