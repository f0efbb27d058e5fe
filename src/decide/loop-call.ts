import { canonicalJson } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";
import type { LoopStep, ToolAnswer } from "../contract/tool.ts";
import { observed } from "./loop-prompt.ts";
import { type ItemPlace, type Looping, type LoopState, namedItems } from "./loop-state.ts";

/**
 * Reads through the tool, within what is left of the loop's time. What fails is told to the model by its code alone. What is found gets
 * the names of its place: a step of the model's, or a slot of the plan.
 */
export async function callTool(
  { startedAt, ids, place }: Pick<LoopState, "startedAt" | "ids"> & { place: ItemPlace },
  row: LoopStep,
  { loop, informed, deps }: Pick<Looping, "loop" | "informed" | "deps">,
): Promise<LoopStep> {
  const { inputs, envelope } = informed;
  const call = { capability: deps.capability, tool: row.tool ?? "", arguments: row.arguments, step: row.step, inputs, envelope };
  if (deps.meter !== undefined && deps.meter.toolCall() !== null) return { ...row, outcome: "failed", fault: "budget_spent" };
  const left = loop.caps.ms - (deps.clock.monotonic() - startedAt);
  const answer = await deps.deadline.within(Math.max(1, left), deps.tools.call(call)).catch(lateAnswer);
  if (answer.kind !== "found") return { ...row, outcome: "failed", fault: faultOf(answer) };
  const found = namedItems({ items: answer.items, ids, place });
  if (observed(found).length > limits.observationText) return { ...row, outcome: "failed", fault: "too_large" };
  return { ...row, outcome: "read", found, resultDigest: deps.digest.sha256(canonicalJson(found)) };
}

/** Either the loop's time is over, which the next turn sees, or the port failed, which it never should. */
function lateAnswer(): ToolAnswer {
  return { kind: "failed", fault: "record_unavailable" };
}

function faultOf(answer: Exclude<ToolAnswer, { kind: "found" }>): LoopStep["fault"] {
  if (answer.kind === "failed") return answer.fault;
  return answer.kind === "off_list" ? "forbidden" : "input_invalid";
}
