import type { Capability, Check, Decided } from "../../contract/capability.ts";
import { fitToSchema } from "../../contract/schema.ts";
import { onePpm } from "../../contract/words.ts";
import { groundedness } from "../answers/groundedness.ts";
import { draftOf } from "../draft.ts";
import { enumsHold } from "../enums.ts";
import type { CheckResult, Node } from "../state.ts";

/** Node 6: named checks in code. Verified means that every hard check passed; a check that throws has failed. */
export const verification: Node<"inputs" | "envelope" | "context" | "guarded", "checked"> = async (state, { capability }) => {
  const decided = { inputs: state.inputs, envelope: state.envelope, context: state.context, decision: state.guarded };
  const own = capability.checks.map((check) => runCheck(check, decided));
  const fit = await fitToSchema(capability.decision, state.guarded);
  const results: CheckResult[] = [
    always("schema_ok", fit.kind === "fits", "the decision fits its schema after the guards"),
    always("in_enum", enumsHold(capability.decisionJson, state.guarded), "every value of a closed list is in its list"),
    always(
      "rules_ok",
      own.every((result) => !result.threw),
      "every check could be run",
    ),
    ...own.map(({ threw: _, ...result }) => result),
    ...groundedCheck(capability, decided),
  ];
  const passed = results.filter((result) => result.passed).length;
  return {
    checked: {
      results,
      verified: results.every((result) => result.passed || !result.hard),
      scorePpm: Math.floor((passed * onePpm) / results.length),
    },
  };
};

function always(name: string, passed: boolean, evidence: string): CheckResult {
  return { evidence, hard: true, name, passed };
}

/** A hard check for a capability that sets a bar; what it drafts from its claims is the same as later. */
function groundedCheck(capability: Capability, decided: Decided<unknown, unknown>): CheckResult[] {
  const { minimumGroundedPpm } = capability;
  if (minimumGroundedPpm === undefined) return [];
  const claims = draftOf(capability, decided).claims ?? [];
  const statements = claims.map(({ text, source, alsoFrom = [] }) => ({ text, sources: [source, ...alsoFrom] }));
  const { ppm, ungrounded } = groundedness(statements, decided.context);
  const evidence = `${ungrounded.length} of ${claims.length} claims are not borne out by their sources`;
  return [{ evidence, hard: true, name: "grounded", passed: ppm >= minimumGroundedPpm }];
}

function runCheck(check: Check<unknown, unknown>, decided: Decided<unknown, unknown>): CheckResult & { threw: boolean } {
  const { name, soft } = check;
  const hard = soft === undefined;
  try {
    const { passed, evidence } = check.run(decided);
    return { evidence, hard, name, passed: passed === true, threw: false };
  } catch {
    return { evidence: "the check could not be run", hard, name, passed: false, threw: true };
  }
}
