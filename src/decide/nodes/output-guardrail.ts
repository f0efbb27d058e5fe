import { deepFreeze, toFrozenJson } from "../../contract/json.ts";
import { fitToSchema } from "../../contract/schema.ts";
import { runGuards } from "../guards/run-guards.ts";
import { type Node, stopAt } from "../state.ts";

/** Node 5: every guard says pass, redact or block; one that errs or is too slow blocks. What was redacted must still fit the schema. */
export const outputGuardrail: Node<"decision" | "inputs" | "envelope" | "context", "guarded"> = async (state, deps) => {
  const output = toFrozenJson(state.decision);
  const guarded = await runGuards({ output, inputs: state.inputs, envelope: state.envelope, context: state.context, deps });
  if (guarded.kind === "blocked") return stopAt("output_guardrail", "blocked_by_guard", `${guarded.guard}: ${guarded.reason}`);
  const fit = await fitToSchema(deps.capability.decision, guarded.output);
  if (fit.kind === "misfits")
    return stopAt("output_guardrail", "blocked_by_guard", "what was left after redaction does not fit the schema");
  return { guarded: deepFreeze(fit.value) };
};
