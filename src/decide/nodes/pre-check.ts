import { isCountersignError } from "../../contract/errors.ts";
import { type Json, toFrozenJson } from "../../contract/json.ts";
import { fitToSchema } from "../../contract/schema.ts";
import { type Node, stopAt } from "../state.ts";

/** Node 2: inputs that fit the capability's schema and its own pre-check, or an early stop that says what does not fit. */
export const preCheck: Node<"received" | "envelope", "inputs"> = async ({ received, envelope }, { capability }) => {
  const fit = await fitToSchema(capability.input, received);
  if (fit.kind === "misfits") return stopAt("pre_check", "input_invalid", fit.issues.slice(0, 5).join("; "));
  const inputs = plainInputs(fit.value);
  if (inputs === undefined) return stopAt("pre_check", "input_invalid", "/: the inputs hold a value that JSON cannot keep");
  const check = capability.preCheck({ inputs, envelope });
  if (check.kind === "stop") return stopAt("pre_check", check.reason, check.detail);
  return { inputs };
};

/** The inputs as frozen plain JSON, so that no later node sees them changed; a Date, a BigInt, NUL or a cycle is refused here. */
function plainInputs(value: unknown): Json | undefined {
  try {
    return toFrozenJson(value);
  } catch (thrown) {
    if (isCountersignError(thrown, "unserialisable")) return undefined;
    throw thrown;
  }
}
