import type { PolicyRuling } from "../../contract/principal.ts";
import type { Ask } from "./ask.ts";
import type { CompiledPolicies } from "./compile.ts";
import type { Question } from "./question.ts";
import type { WrittenPolicy } from "./written-policy.ts";

/** An answer of policy with the policies behind it. */
export interface ExplainedRuling {
  readonly version: string;
  readonly ruling: PolicyRuling;
  /** The policies that decided, as they are written. */
  readonly deciding: readonly WrittenPolicy[];
  /** Where nothing permits it: every policy that could have, and did not apply. */
  readonly missing: readonly WrittenPolicy[];
}

/** Asks one question and tells which policies decided it, and for a no which permits of the action did not apply. */
export function explainRuling({
  compiled,
  ask,
  question,
}: {
  compiled: CompiledPolicies;
  ask: Ask;
  question: Question;
}): ExplainedRuling {
  const ruling = ask(question);
  const { version, policies } = compiled;
  const deciding = policies.filter(({ id }) => ruling.policies.includes(id));
  const permits = policies.filter(({ effect, actions }) => effect === "permit" && actions.includes(question.action));
  return { version, ruling, deciding, missing: ruling.kind === "refused" && deciding.length === 0 ? permits : [] };
}
