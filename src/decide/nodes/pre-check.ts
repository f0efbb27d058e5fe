import { fitToSchema } from "../../contract/schema.ts";
import { type Node, stopAt } from "../state.ts";

/** Node 2: inputs that fit the capability's schema and its own pre-check, or an early stop that says what does not fit. */
export const preCheck: Node<"received" | "envelope", "inputs"> = async ({ received, envelope }, { capability }) => {
  const fit = await fitToSchema(capability.input, received);
  if (fit.kind === "misfits") return stopAt("pre_check", "input_invalid", fit.issues.slice(0, 5).join("; "));
  const check = capability.preCheck({ inputs: fit.value, envelope });
  if (check.kind === "stop") return stopAt("pre_check", check.reason, check.detail);
  return { inputs: fit.value };
};
