import { CountersignError, faultName } from "../contract/errors.ts";
import { sha256Digest } from "../store/digest.ts";
import type { Acting } from "./acting.ts";
import type { Held } from "./held.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";

/** Whether the target knows this worker's fence by now, and so refuses those before it; `not_raised` with the kind of fault. */
export type Raised = { readonly kind: "raised" } | { readonly kind: "not_raised"; readonly fault: string };

/**
 * Tells a target that keeps fences the fence of a take-over, before the look that a repeated send depends on. A send of an older worker
 * that is still on its way would else arrive between that look and the new send, and both would count. Nothing is changed by it.
 */
export async function raiseFence(held: Held, { hands, clients, deadline }: Acting): Promise<Raised> {
  const { task, tenant, fence, generation } = held;
  const { effect, params, proposed } = task;
  if (effect.dedupe !== "fence") return { kind: "raised" };
  const abort = new AbortController();
  try {
    const hand = hands.hands.find((one) => one.effect === effect);
    if (hand?.raiseFence === undefined)
      throw new CountersignError("effect_unknown", `no \`raiseFence\` is registered for \`${effect.name}\``);
    const run = await hand.raiseFence.bind(clients);
    const idempotencyKey = idempotencyKeyOf({ tenant, effect: effect.name, key: proposed.key, generation }, sha256Digest);
    await deadline.within(effect.timeoutMs, run(params, { tenant, idempotencyKey, fence, signal: abort.signal }));
    return { kind: "raised" };
  } catch (thrown) {
    abort.abort();
    return { kind: "not_raised", fault: faultName(thrown) };
  }
}
