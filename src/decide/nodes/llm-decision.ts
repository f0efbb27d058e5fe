import type { Informed, ModelChoice, Prompt } from "../../contract/capability.ts";
import type { Stop } from "../../contract/decision.ts";
import { deepFreeze } from "../../contract/json.ts";
import { fitToSchema } from "../../contract/schema.ts";
import { type Deps, type Holding, type Node, stopAt } from "../state.ts";
import { callUntilFit } from "../structured.ts";

/** Node 4: the one place where a model decides. Its reply fits the schema or the decision fails closed. A rule may stand here instead. */
export const llmDecision: Node<"inputs" | "envelope" | "context", "decision" | "decidedBy"> = async (state, deps) => {
  const { deciding } = deps.capability;
  const informed = { inputs: state.inputs, envelope: state.envelope, context: state.context };
  if (deciding.kind === "rule") return decideByRule(deciding.version, deciding.rule(informed), deps);
  return decideByModel({ version: deciding.version, model: deciding.model, prompt: deciding.prompt, informed, deps });
};

async function decideByRule(version: string, value: unknown, deps: Deps): Promise<Holding<"decision" | "decidedBy"> | Stop> {
  const fit = await fitToSchema(deps.capability.decision, value);
  if (fit.kind === "misfits") return nonConforming(fit.issues.slice(0, 5).join("; "));
  return { decision: deepFreeze(fit.value), decidedBy: { model: "none", prompt: `rule ${version}` } };
}

async function decideByModel({
  version,
  model,
  prompt,
  informed,
  deps,
}: {
  version: string;
  model: ModelChoice;
  prompt: (informed: Informed<unknown>) => Prompt;
  informed: Informed<unknown>;
  deps: Deps;
}): Promise<Holding<"decision" | "decidedBy"> | Stop> {
  const reply = await callUntilFit({
    node: "llm_decision",
    purpose: "decide",
    model,
    prompt: prompt(informed),
    schema: deps.capability.decision,
    maxRetries: deps.capability.maxRetries,
    deps,
  });
  if (reply.kind === "fits")
    return { decision: deepFreeze(reply.value), decidedBy: { model: `${model.provider}/${model.id}`, prompt: version } };
  if (deps.cancel.isCancelled()) return stopAt("llm_decision", "cancelled", "the requester cancelled the decision");
  if (reply.kind === "failed") return stopAt("llm_decision", "model_unavailable", reply.problem);
  return nonConforming(reply.problem);
}

/** No reply that fits: nothing is guessed, and nobody can decide from scratch yet. */
function nonConforming(problem: string): Stop {
  return stopAt("llm_decision", "non_conforming_output", problem, { route: "reject", rule: "non_conforming_output" });
}
