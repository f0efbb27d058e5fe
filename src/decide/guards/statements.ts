import type { Guard } from "./guard.ts";
import { folded } from "./shown.ts";

/** Statements that this capability never makes, compared without regard to case, spacing and invisible characters. */
export const statementsGuard: Guard = {
  name: "forbidden_statements",
  rule: ({ folds, deps }) => {
    const said = folds.join("\n");
    const isForbidden = deps.capability.output.forbidden.some((statement) => said.includes(folded(statement)));
    return isForbidden
      ? { kind: "block", reason: "the output makes a statement that this capability never makes" }
      : { kind: "pass" };
  },
};
