import { canonicalJson } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";
import type { LoopStep, ToolAnswer } from "../contract/tool.ts";
import { observed } from "./loop-prompt.ts";
import { type Looping, type LoopState, namedItems } from "./loop-state.ts";

/** Reads through the tool. What fails is told to the model by its code alone, and counts as a step. */
export async function callTool(state: LoopState, row: LoopStep, { loop, informed, deps }: Looping): Promise<LoopStep> {
  const { inputs, envelope } = informed;
  const call = { capability: deps.capability, tool: row.tool ?? "", arguments: row.arguments, step: row.step, inputs, envelope };
  const left = loop.caps.ms - (deps.clock.monotonic() - state.startedAt);
  const answer = await deps.deadline.within(Math.max(1, left), deps.tools.call(call)).catch(lateAnswer);
  if (answer.kind !== "found") return { ...row, outcome: "failed", fault: faultOf(answer) };
  const found = namedItems({ items: answer.items, tool: row.tool ?? "", step: row.step, ids: state.ids });
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
