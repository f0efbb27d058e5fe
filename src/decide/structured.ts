import type { ModelChoice, Prompt } from "../contract/capability.ts";
import type { CallPurpose, ModelFault, ModelReply } from "../contract/model.ts";
import { modelName } from "../contract/model-name.ts";
import type { Schema } from "../contract/schema.ts";
import type { NodeName } from "../contract/words.ts";
import type { DecidedBy, Deps } from "./state.ts";

/** What is asked of a model until its reply fits. */
export interface Asking<T> {
  readonly node: NodeName;
  readonly purpose: CallPurpose;
  /** Which step of a bounded loop asks, counted from 1; 0 outside of loops. */
  readonly step?: number;
  readonly model: ModelChoice;
  /** Asked where the first model gave no reply at all. */
  readonly second?: ModelChoice | undefined;
  readonly prompt: Prompt;
  readonly schema: Schema<T>;
  readonly maxRetries: number;
  readonly deps: Deps;
}

/** The last reply, and the model that gave it, or gave none. */
export type Answered<T> = ModelReply<T> & { readonly by: ModelChoice };

/**
 * Calls a model until its reply fits the schema, at most `1 + maxRetries` times. Each retry starts from the base prompt plus the
 * one error of the attempt before it: errors never pile up, and nothing is loosened. A call that got no reply is not repeated here;
 * where it was the very first, the second model is asked in the same way. A reply that does not fit never changes the model.
 */
export async function callUntilFit<T>(asking: Asking<T>): Promise<Answered<T>> {
  const first = await untilFit(asking);
  const isSilent = first.kind === "failed" && first.attempts === 1 && !unsaid.includes(first.fault);
  return isSilent && asking.second !== undefined ? untilFit({ ...asking, model: asking.second }) : first;
}

/** Faults that are none of the first model's: the second would not be asked either, and must not be where the boundary failed. */
const unsaid: readonly ModelFault[] = ["cancelled", "over_budget", "boundary_failed"];

/** A model with the version of the prompt that it was asked with, as the entry names the two. */
export function bookedAs(model: ModelChoice, version: string): DecidedBy {
  return { model: modelName(model), prompt: version };
}

async function untilFit<T>({
  node,
  purpose,
  step = 0,
  model,
  prompt,
  schema,
  maxRetries,
  deps,
}: Asking<T>): Promise<Answered<T> & { readonly attempts: number }> {
  const base = { node, purpose, step, model, schema, cancel: deps.cancel };
  let asked = prompt;
  for (let attempt = 1; ; attempt += 1) {
    const reply = await deps.model.call({ ...base, attempt, prompt: asked });
    if (reply.kind !== "misfits" || attempt > maxRetries) return { ...reply, by: model, attempts: attempt };
    asked = withProblem(prompt, reply.problem);
  }
}

function withProblem(prompt: Prompt, problem: string): Prompt {
  const text = `The reply before this one was refused: ${problem}\nReply again with one JSON value that fits the schema, and nothing else.`;
  return { system: prompt.system, messages: [...prompt.messages, { role: "user", text }] };
}
