import type { Stop } from "../contract/decision.ts";
import type { ModelReply } from "../contract/model.ts";
import { type Deps, stopAt } from "./state.ts";

/** Why node 4 has no decision: the requester cancelled, no reply came, or none that fits. */
export function stopWithoutReply(reply: Exclude<ModelReply<unknown>, { kind: "fits" }>, deps: Deps): Stop {
  if (deps.cancel.isCancelled()) return cancelled();
  if (reply.kind !== "failed") return nonConforming(reply.problem, deps);
  // What was found by then is in the record, and a person decides with it.
  if (reply.fault === "over_budget")
    return stopAt("llm_decision", "budget_spent", reply.problem, { route: "hitl_required", rule: "budget_spent" });
  return stopAt("llm_decision", "model_unavailable", reply.problem);
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
