import type { Plan } from "../../contract/plan.ts";
import type { LoopStep } from "../../contract/tool.ts";
import { calculationsWith } from "../../guard/provenance/calculations.ts";
import { openPlanned } from "../../guard/provenance/session.ts";
import type { Looping } from "../loop-state.ts";
import { askPlan } from "./ask-plan.ts";
import { callRulesOf } from "./call-rules.ts";
import { readPlan } from "./plan-reads.ts";

/**
 * Before a loop's first step: its plan, made while nothing has been looked up for it, then what the plan reads. `plan` is left out for
 * a loop that makes none, and `null` where no clean one came.
 */
export async function planFirst(
  looping: Pick<Looping, "loop" | "informed" | "deps">,
  startedAt: number,
): Promise<{ readonly plan?: Plan | null; readonly steps: readonly LoopStep[] }> {
  const { loop, informed, deps } = looping;
  if (loop.plan === undefined) return { steps: [] };
  const request = loop.plan.request({ inputs: informed.inputs, envelope: informed.envelope });
  const rules = callRulesOf(deps.capability);
  const plan = await askPlan({ request, rules, loop, deps });
  if (plan === null) return { plan, steps: [] };
  const calculations = calculationsWith(deps.capability.calculations);
  return { plan, steps: await readPlan(openPlanned({ request, rules, plan, calculations }), looping, startedAt) };
}
