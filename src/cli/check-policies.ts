import { isCountersignError } from "../contract/errors.ts";
import { openAsk, strictEngine } from "../guard/policy/ask.ts";
import { compilePolicies } from "../guard/policy/compile.ts";
import { runPolicyTests } from "../guard/policy/policy-test.ts";
import type { Finding } from "./finding.ts";
import { policyTestTexts, policyTexts } from "./open-policies.ts";

/** Checks that the policies of a project can be used and keep their tests. */
export function checkPolicies(folder: string): readonly Finding[] {
  try {
    const compiled = compilePolicies(policyTexts(folder));
    const results = runPolicyTests({ ask: openAsk(compiled, strictEngine), texts: policyTestTexts(folder) });
    const failed = results.filter(({ isPassed }) => !isPassed);
    if (failed.length === 0) return [];
    const problem = `${failed.length} tests of the policies fail, first \`${failed[0]?.name ?? ""}\``;
    return [{ level: "error", about: "policies", problem, fix: "see `countersign policy test`" }];
  } catch (thrown) {
    if (!isCountersignError(thrown, "policy_invalid") && !isCountersignError(thrown, "configuration_invalid")) throw thrown;
    return [{ level: "error", about: "policies", problem: thrown.message, fix: "mend it and run `countersign policy test`" }];
  }
}
