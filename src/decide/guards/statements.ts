import type { Guard } from "./guard.ts";

/** Statements that this capability never makes, compared without regard to case, spacing and invisible characters. */
export const statementsGuard: Guard = {
  name: "forbidden_statements",
  rule: async ({ texts, deps }) => {
    const said = texts.map(folded).join("\n");
    const isForbidden = deps.capability.output.forbidden.some((statement) => said.includes(folded(statement)));
    return isForbidden
      ? { kind: "block", reason: "the output makes a statement that this capability never makes" }
      : { kind: "pass" };
  },
};

function folded(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase()
    .replace(/\s+/g, " ");
}
