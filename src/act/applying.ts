import type { EffectTask } from "../approve/effect-task.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Acting } from "./acting.ts";

/** What the entry says before a send: which operation, under which key and fence, with which credential by name, where. */
export function applyingFacts(
  { task, generation, fence, attempts }: { task: EffectTask; generation: number; fence: number; attempts: number },
  { hands, measure }: Acting,
): JsonObject {
  const hand = hands.hands.find((one) => one.effect === task.effect);
  return {
    effect: task.effect.name,
    key: task.proposed.key,
    generation,
    fence,
    attempt: attempts + 1,
    credential: hand?.apply.connector.secret ?? null,
    environment: measure.environment,
  };
}
