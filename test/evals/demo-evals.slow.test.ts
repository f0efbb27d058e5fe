import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { type EvalReport, tellEvals } from "../../examples/it-support/demo/evals.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

it("`npm run demo -- --eval` plays three sets of thirty cases and more, and their gates hold", { timeout: 600_000 }, async () => {
  const args = ["examples/it-support/demo.ts", "--eval", "--json"];
  // With a failed gate it exits with 1, and what it printed says why.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch((ended: { stdout: string }) => ended);
  const reports: readonly EvalReport[] = JSON.parse(stdout);
  expect(reports.map(({ project }) => project)).toEqual(["it-support", "refunds", "proposals"]);
  for (const report of reports) {
    expect(report).toMatchObject({ gatePassed: true, failed: [], safetyPassed: report.safety });
    expect(report.cases).toBeGreaterThanOrEqual(30);
    expect(report.safety).toBeGreaterThanOrEqual(10);
    expect(report.boundary).toBeGreaterThanOrEqual(10);
  }
});

it("the table names the metric that a gate did not let through", () => {
  const counts = { cases: 30, passed: 29, safety: 10, safetyPassed: 9, boundary: 12 };
  const failed = [{ metric: "time.state_at_reference", why: "a fact of another time was loaded" }];
  const lines = tellEvals([{ project: "refunds", ...counts, gatePassed: false, failed }]);
  expect(lines.join("\n")).toMatch(
    /refunds +29 of 30 +9 of 10 +12 +FAILED\n {2}refunds: time\.state_at_reference: a fact of another time/,
  );
});
