import { openAsk, strictEngine } from "../guard/policy/ask.ts";
import { compilePolicies } from "../guard/policy/compile.ts";
import { type PolicyTestResult, runPolicyTests } from "../guard/policy/policy-test.ts";
import { policyTestTexts, policyTexts } from "./open-policies.ts";
import { print } from "./print.ts";

/** Checks the policies in force and runs their tests: exit code 1 where one fails, 2 where a file cannot be used. */
export async function policyTest({ project, json }: { project?: string; json?: true }): Promise<void> {
  const compiled = compilePolicies(policyTexts(project));
  const results = runPolicyTests({ ask: openAsk(compiled, strictEngine), texts: policyTestTexts(project) });
  const failed = results.filter(({ isPassed }) => !isPassed);
  const { version, policies } = compiled;
  const untested = policies.map(({ id }) => id).filter((id) => !results.some(({ expected }) => decides(expected, id)));
  const counts = { policies: policies.length, cases: results.length, failed: failed.length };
  print({
    json,
    value: { version, ...counts, failures: failed, untested },
    lines: [
      ...failed.map(lineOf),
      ...(untested.length === 0 ? [] : [`no test is decided by: ${untested.join(", ")}`]),
      `policies ${version}: ${counts.policies} policies, ${counts.cases} cases, ${counts.failed} failed`,
    ],
  });
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function lineOf({ file, name, expected, found }: PolicyTestResult): string {
  return `FAILED ${file}: ${name}: expected ${expected}, found ${found}`;
}

function decides(expected: string, id: string): boolean {
  return expected.split(/ by |, /).includes(id);
}
