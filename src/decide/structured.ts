import type { ModelChoice, Prompt } from "../contract/capability.ts";
import type { CallPurpose, ModelReply } from "../contract/model.ts";
import type { Schema } from "../contract/schema.ts";
import type { NodeName } from "../contract/words.ts";
import type { Deps } from "./state.ts";

/**
 * Calls a model until its reply fits the schema, at most `1 + maxRetries` times. Each retry starts from the base prompt plus the
 * one error of the attempt before it: errors never pile up, and nothing is loosened. A call that got no reply is not repeated here.
 */
export async function callUntilFit<T>({
  node,
  purpose,
  model,
  prompt,
  schema,
  maxRetries,
  deps,
}: {
  node: NodeName;
  purpose: CallPurpose;
  model: ModelChoice;
  prompt: Prompt;
  schema: Schema<T>;
  maxRetries: number;
  deps: Deps;
}): Promise<ModelReply<T>> {
  let problem: string | null = null;
  for (let attempt = 1; ; attempt += 1) {
    const asked: Prompt = problem === null ? prompt : withProblem(prompt, problem);
    const reply: ModelReply<T> = await deps.model.call({
      node,
      purpose,
      attempt,
      model,
      prompt: asked,
      schema,
      cancel: deps.cancel,
    });
    if (reply.kind !== "misfits" || attempt > maxRetries) return reply;
    problem = reply.problem;
  }
}

function withProblem(prompt: Prompt, problem: string): Prompt {
  const text = `The reply before this one was refused: ${problem}\nReply again with one JSON value that fits the schema, and nothing else.`;
  return { system: prompt.system, messages: [...prompt.messages, { role: "user", text }] };
}
