import { z } from "zod";
import type { Judge } from "../../contract/capability.ts";
import { isSampled } from "../../contract/is-sampled.ts";
import { onePpm } from "../../contract/words.ts";
import { draftOf, riskOf } from "../draft.ts";
import type { Deps, Judged, Node } from "../state.ts";
import { callUntilFit } from "../structured.ts";

/** A judge says whether it agrees, how sure it is in percent, and why. */
const opinion = z.strictObject({ agrees: z.boolean(), surePercent: z.int().min(0).max(100), reason: z.string().max(2000) });

/**
 * Node 7: a second opinion by another model, in a share of the decisions that is fixed by the decision's id, always where risk is high.
 * Not sampled: the signal is absent. Failed: the decision never goes `auto`.
 */
export const judge: Node<"request" | "inputs" | "envelope" | "context" | "guarded", "judged"> = async (state, deps) => {
  const rule = deps.capability.judge;
  if (rule === null) return { judged: { kind: "not_sampled" } };
  const decided = { inputs: state.inputs, envelope: state.envelope, context: state.context, decision: state.guarded };
  const ratePpm = riskOf(draftOf(deps.capability, decided)) === "high" ? onePpm : rule.ratePpm;
  if (!isSampled({ of: "judge", decisionId: state.request.decisionId, ratePpm, digest: deps.digest }))
    return { judged: { kind: "not_sampled" } };
  return { judged: await askJudge(rule, rule.prompt(decided), deps) };
};

async function askJudge(
  rule: Judge<unknown, unknown>,
  prompt: ReturnType<Judge<unknown, unknown>["prompt"]>,
  deps: Deps,
): Promise<Judged> {
  const reply = await callUntilFit({
    node: "judge",
    purpose: "judge",
    model: rule.model,
    prompt,
    schema: opinion,
    maxRetries: deps.capability.maxRetries,
    deps,
  });
  if (reply.kind !== "fits") return { kind: "failed", problem: reply.problem };
  const { agrees, surePercent, reason } = reply.value;
  return { kind: "scored", ppm: (agrees ? surePercent : 100 - surePercent) * (onePpm / 100), reason };
}
