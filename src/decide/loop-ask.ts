import { makeCancel } from "../contract/cancel.ts";
import type { CallRecord } from "../contract/model.ts";
import type { Looping, LoopState } from "./loop-state.ts";
import { recordingModel } from "./recording.ts";
import type { StepReply } from "./step-schema.ts";
import { type Answered, callUntilFit } from "./structured.ts";

/**
 * Asks for one step's reply, for as long as the loop's time allows. What a call that was ended cost is counted all the same. The first
 * step alone may come to the second model; what answers it, answers every later step.
 */
export async function askStep(
  { prompt, by, startedAt }: LoopState,
  step: number,
  { loop, schema, deps }: Looping,
): Promise<{ reply: Answered<StepReply>; calls: readonly CallRecord[]; isLate: boolean }> {
  const calls: CallRecord[] = [];
  const { cancel, fire } = makeCancel(deps.cancel);
  const asking = callUntilFit({
    ...({ node: "llm_decision", purpose: "step", step, prompt, schema } as const),
    ...(by === null ? { model: loop.model, second: loop.second } : { model: by }),
    maxRetries: deps.capability.maxRetries,
    deps: { ...deps, cancel, model: recordingModel(deps.model, (made) => void calls.push(...made)) },
  });
  let isLate = false;
  const left = loop.caps.ms - (deps.clock.monotonic() - startedAt);
  await deps.deadline.within(Math.max(1, left), asking).catch(() => {
    isLate = true;
    fire();
  });
  return { reply: await asking, calls, isLate: isLate && !deps.cancel.isCancelled() };
}
