// Names each failed test of the JSON reports named as arguments, then prints `N passed, N failed` over all of them. A file that did not
// load counts as one failure.
import { readFileSync } from "node:fs";

type Assertion = { readonly status: string; readonly fullName: string; readonly failureMessages?: readonly string[] };
type TestFile = {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly assertionResults: readonly Assertion[];
};
type Outcome = { readonly status: string; readonly name: string; readonly why: string };

const outcomes = process.argv.slice(2).flatMap((path) => outcomesOf(JSON.parse(readFileSync(path, "utf8"))));
const passed = outcomes.filter(({ status }) => status === "passed").length;
const failed = outcomes.filter(({ status }) => status === "failed");
for (const { name, why } of failed) process.stdout.write(`FAILED ${name}\n  ${why.split("\n").slice(0, 12).join("\n  ")}\n`);
process.stdout.write(`${passed} passed, ${failed.length} failed\n`);
process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;

function outcomesOf(report: { readonly testResults: readonly TestFile[] }): readonly Outcome[] {
  return report.testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const own = assertionResults.map((assertion) => ({
      status: assertion.status,
      name: `${file}: ${assertion.fullName}`,
      why: assertion.failureMessages?.[0] ?? "",
    }));
    const whole = status === "failed" && !own.some((outcome) => outcome.status === "failed");
    return whole ? [...own, { status: "failed", name: file, why: message ?? "" }] : own;
  });
}
