import type { Deciding, Informed } from "../../contract/capability.ts";
import { deepFreeze } from "../../contract/json.ts";
import { fitToSchema } from "../../contract/schema.ts";
import { runLoop } from "../loop.ts";
import { nonConforming, stopWithoutReply } from "../no-decision.ts";
import { type Deps, type Holding, isStop, type Node, type StopWith } from "../state.ts";
import { bookedAs, callUntilFit } from "../structured.ts";

/** Node 4: the one place where a model decides. Its reply fits the schema or the decision fails closed. A bounded loop or a rule may stand here instead. */
export const llmDecision: Node<"inputs" | "envelope" | "loaded", "decision" | "decidedBy" | "context" | "loop"> = async (
  state,
  deps,
) => {
  const { deciding } = deps.capability;
  const informed = { inputs: state.inputs, envelope: state.envelope, context: state.loaded };
  if (deciding.kind === "loop") return runLoop({ loop: deciding, informed, deps });
  const decided =
    deciding.kind === "rule"
      ? await decideByRule(deciding.version, deciding.rule(informed), deps)
      : await decideByModel({ deciding, informed, deps });
  return isStop(decided) ? decided : { ...decided, context: state.loaded, loop: null };
};

type Decided = Holding<"decision" | "decidedBy">;

async function decideByRule(version: string, value: unknown, deps: Deps): Promise<Decided | StopWith> {
  const decidedBy = { model: "none", prompt: `rule ${version}` };
  const fit = await fitToSchema(deps.capability.decision, value);
  if (fit.kind === "misfits") return { ...nonConforming(fit.issues.slice(0, 5).join("; "), deps), left: { decidedBy } };
  return { decision: deepFreeze(fit.value), decidedBy };
}

async function decideByModel({
  deciding: { version, model, second, prompt },
  informed,
  deps,
}: {
  deciding: Extract<Deciding<unknown>, { kind: "prompt" }>;
  informed: Informed<unknown>;
  deps: Deps;
}): Promise<Decided | StopWith> {
  const reply = await callUntilFit({
    node: "llm_decision",
    purpose: "decide",
    model,
    second,
    prompt: prompt(informed),
    schema: deps.capability.decision,
    maxRetries: deps.capability.maxRetries,
    deps,
  });
  const decidedBy = bookedAs(reply.by, version);
  if (reply.kind === "fits") return { decision: deepFreeze(reply.value), decidedBy };
  return { ...stopWithoutReply(reply, deps), left: { decidedBy } };
}
