import type { EffectTask } from "../approve/effect-task.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Acting } from "./acting.ts";

/** What the entry says before a send: which operation, under which key and fence, with which credentials by name, where. */
export function applyingFacts(
  { task, generation, fence, attempt }: { task: EffectTask; generation: number; fence: number; attempt: number },
  { hands, measure }: Pick<Acting, "hands" | "measure">,
): JsonObject {
  const hand = hands.hands.find((one) => one.effect === task.effect);
  return {
    attempt,
    credential: hand?.apply.connector.secret ?? null,
    effect: task.effect.name,
    environment: measure.environment,
    fence,
    generation,
    key: task.proposed.key,
    observer: hand?.observe.connector.secret ?? null,
  };
}
