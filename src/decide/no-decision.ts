import type { Stop } from "../contract/decision.ts";
import type { ModelReply } from "../contract/model.ts";
import { type Deps, stopAt } from "./state.ts";

/** Why node 4 has no decision: the requester cancelled, no reply came, or none that fits. */
export function stopWithoutReply(reply: Exclude<ModelReply<unknown>, { kind: "fits" }>, deps: Deps): Stop {
  if (deps.cancel.isCancelled()) return cancelled();
  return reply.kind === "failed"
    ? stopAt("llm_decision", "model_unavailable", reply.problem)
    : nonConforming(reply.problem, deps);
}

/** No reply that fits: nothing is guessed. A person decides it elsewhere, where the capability says so. */
export function nonConforming(problem: string, { capability }: Deps): Stop {
  const route = capability.onNonConforming === "person" ? "hitl_required" : "reject";
  return stopAt("llm_decision", "non_conforming_output", problem, { route, rule: "non_conforming_output" });
}

/** The requester wants no decision any more. */
export function cancelled(): Stop {
  return stopAt("llm_decision", "cancelled", "the requester cancelled the decision");
}
