// Prints `N passed, N failed`, summed from the JSON reports named as arguments. A file that did not load counts as one failure.
import { readFileSync } from "node:fs";

type TestFile = { readonly status: string; readonly assertionResults: readonly { readonly status: string }[] };

const counts = process.argv.slice(2).map((path) => countReport(JSON.parse(readFileSync(path, "utf8"))));
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function countReport(report: { readonly testResults: readonly TestFile[] }): { passed: number; failed: number } {
  const statuses = report.testResults.flatMap(({ status, assertionResults }) => {
    const own = assertionResults.map((assertion) => assertion.status);
    return status === "failed" && !own.includes("failed") ? [...own, "failed"] : own;
  });
  return {
    passed: statuses.filter((status) => status === "passed").length,
    failed: statuses.filter((status) => status === "failed").length,
  };
}
