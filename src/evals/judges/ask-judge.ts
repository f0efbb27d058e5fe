import type { RunMeter } from "../../contract/budget.ts";
import { neverCancelled } from "../../contract/cancel.ts";
import type { Prompt } from "../../contract/capability.ts";
import { limits } from "../../contract/limits.ts";
import type { CallRecord, Model, ModelFault } from "../../contract/model.ts";
import type { Cancel } from "../../contract/principal.ts";
import type { Schema } from "../../contract/schema.ts";
import type { Rubric } from "./rubric.ts";

/** Why there are no readings. A fault is no score, neither a low one nor none: whoever gates on the judge fails. */
export type JudgeFault =
  /** No reply came: the provider, the privacy boundary or the key failed. */
  | "down"
  /** A budget would not hold it. */
  | "over_budget"
  /** Replies came, and none fits: no JSON, a criterion left out, a word that is not in its list. */
  | "misfits"
  /** It was to judge replies of its own model. */
  | "own_model"
  | "cancelled";

/** What a judge is asked through; its requests pass the boundary and take room from the meter like all others. */
export interface JudgeParts {
  readonly model: Model;
  readonly meter?: RunMeter;
  readonly cancel?: Cancel;
}

/** What came of asking. */
export type JudgeReply<T> =
  | { readonly kind: "read"; readonly value: T; readonly calls: readonly CallRecord[] }
  | { readonly kind: "fault"; readonly fault: JudgeFault; readonly why: string; readonly calls: readonly CallRecord[] };

/**
 * Asks a judge's model until its reply fits, at most three times, each time by the same prompt: what was wrong with a reply is not told to
 * the next, so that no word is asked for.
 */
export async function askJudge<T>({
  rubric,
  prompt,
  schema,
  parts,
}: {
  rubric: Pick<Rubric, "model">;
  prompt: Prompt;
  schema: Schema<T>;
  parts: JudgeParts;
}): Promise<JudgeReply<T>> {
  const { model, meter, cancel = neverCancelled } = parts;
  const calls: CallRecord[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const asked = { node: "judge", purpose: "judge", step: 0, attempt, model: rubric.model, prompt, schema, cancel } as const;
    const reply = await model.call(meter === undefined ? asked : { ...asked, meter });
    calls.push(...reply.calls);
    if (reply.kind === "fits") return { kind: "read", value: reply.value, calls };
    if (reply.kind === "failed") return { kind: "fault", fault: faultOf(reply.fault), why: reply.problem, calls };
    if (attempt > limits.maxRetries) return { kind: "fault", fault: "misfits", why: reply.problem, calls };
  }
}

function faultOf(fault: ModelFault): JudgeFault {
  if (fault === "over_budget" || fault === "cancelled") return fault;
  return "down";
}
