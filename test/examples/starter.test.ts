import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { runJson } from "../cli/command.ts";

// What `countersign init` makes a project of. Its evals are played by test/start/newcomer.slow.test.ts.
const folder = fileURLToPath(new URL("../../examples/starter", import.meta.url));

it("passes its own tests, as `npm test` runs them in a project", { timeout: 60_000 }, async () => {
  // Without what vitest says to its own processes.
  const { PATH } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: folder,
    env: { PATH },
  });
  expect(stdout).toMatch(/^# pass 4$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});

it("passes the check, with no hint but at what makes it larger", { timeout: 60_000 }, async () => {
  const { code, json } = await runJson(["check", "--project", folder]);
  const findings = json["findings"] as { level: string; problem: string }[]; // as check.ts prints them
  expect(code).toBe(0);
  expect(findings.map(({ level, problem }) => `${level}: ${problem}`)).toEqual([
    "hint: has effects and no judge",
    "hint: has 5 of 20 eval cases",
  ]);
});
