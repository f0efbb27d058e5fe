import type { CallRecord, Model } from "../contract/model.ts";
import { childCancel } from "./child-cancel.ts";
import type { Looping, LoopState } from "./loop-state.ts";
import type { StepReply } from "./loop-step.ts";
import { type Answered, callUntilFit } from "./structured.ts";

/** Asks for one step's reply, for as long as the loop's time allows. What a call that was ended cost is counted all the same. */
export async function askStep(
  { prompt, startedAt }: LoopState,
  step: number,
  { loop, schema, deps }: Looping,
): Promise<{ reply: Answered<StepReply>; calls: readonly CallRecord[]; isLate: boolean }> {
  const calls: CallRecord[] = [];
  const { cancel, fire } = childCancel(deps.cancel);
  const asking = callUntilFit({
    ...({ node: "llm_decision", purpose: "step", step, model: loop.model, second: loop.second, prompt, schema } as const),
    maxRetries: deps.capability.maxRetries,
    deps: { ...deps, cancel, model: counted(deps.model, calls) },
  });
  let isLate = false;
  const left = loop.caps.ms - (deps.clock.monotonic() - startedAt);
  await deps.deadline.within(Math.max(1, left), asking).catch(() => {
    isLate = true;
    fire();
  });
  return { reply: await asking, calls, isLate: isLate && !deps.cancel.isCancelled() };
}

function counted(model: Model, calls: CallRecord[]): Model {
  return {
    call: async (request) => {
      const reply = await model.call(request);
      calls.push(...reply.calls);
      return reply;
    },
  };
}
