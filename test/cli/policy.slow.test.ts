import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "../start/installation.ts";
import { putProject } from "./check-project.ts";
import { runJson } from "./command.ts";

// Policies of a project, written for one test each, and what the command line says of them.
let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "countersign-policy-"));
});
afterEach(() => rm(project, { recursive: true, force: true }));

const slow = { timeout: 60_000 };
async function putPolicies(files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(project, "policies"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, "policies", name), text);
}

const refunds = `@id("refunds_take_a_person")
@refusal("a refund is signed by a person")
forbid (principal, action == Action::"passAlone", resource == Effect::"gift_card");
`;
const asked = (name: string) => [
  ...["policy", "explain", "passAlone", "--principal", "erin", "--project", project],
  ...["--resource", JSON.stringify({ name, risk: "low" })],
];

describe("policy test", () => {
  test("passes the shipped policies, each with a test that it decides", slow, async () => {
    const { code, json } = await runJson(["policy", "test"]);
    expect(json).toMatchObject({ failed: 0, failures: [], untested: [], version: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(code).toBe(0);
  });

  test("fails where a project's policies change what a test says, and names the test", slow, async () => {
    const wide = `@id("risk_low")\n@refusal("no")\npermit (principal, action == Action::"passAlone", resource);\n`;
    await putPolicies({ "effects.cedar": wide });
    const { code, json } = await runJson(["policy", "test", "--project", project]);
    expect(code).toBe(1);
    expect(json).toMatchObject({ failed: 2 });
    expect(json["failures"]).toContainEqual(
      expect.objectContaining({ file: "default.test.json", name: "policy passes no high risk", found: "permitted by risk_low" }),
    );
    const lines = await run(["policy", "test", "--project", project]);
    expect(lines).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/FAILED default.test.json: policy passes no high risk/),
    });
  });

  test("runs a project's own tests, and refuses files that are none", slow, async () => {
    const one = { name: "a refund", principal: { id: "erin", roles: [] }, action: "passAlone" };
    const resource = { name: "gift_card", risk: "low" };
    const cases = [{ ...one, resource, expect: "refused", policies: ["refunds_take_a_person"] }];
    await putPolicies({ "refunds.cedar": refunds, "refunds.test.json": JSON.stringify({ cases }) });
    expect((await runJson(["policy", "test", "--project", project])).json).toMatchObject({ failed: 0, untested: [] });
    await putPolicies({ "refunds.test.json": JSON.stringify({ cases: [{ ...cases[0], expect: "maybe" }] }) });
    expect(await runJson(["policy", "test", "--project", project])).toMatchObject({
      ...{ code: 2, json: { error: { code: "policy_invalid", message: expect.stringContaining("refunds.test.json") } } },
    });
  });
});

describe("policy explain", () => {
  test("names the deciding policies with their text, and of a no what was missing", slow, async () => {
    await putPolicies({ "refunds.cedar": refunds });
    const [other, own] = [await runJson(asked("keyboard")), await runJson(asked("gift_card"))];
    expect(other).toMatchObject({ code: 0, json: { ruling: { kind: "permitted", policies: ["risk_low"] }, missing: [] } });
    expect(own).toMatchObject({
      code: 1,
      json: {
        ruling: { kind: "refused", rule: "refunds_take_a_person", reason: "a refund is signed by a person" },
        deciding: [{ id: "refunds_take_a_person", file: "refunds.cedar", line: 1, text: refunds.trim() }],
      },
    });
    const nobody = await run(["policy", "explain", "stop", "--principal", "erin", "--roles", "employee"]);
    expect(nobody.code).toBe(1);
    expect(nobody.stdout).toMatch(/^refused by the rule owner_stops: only an owner stops or resumes/);
    expect(nobody.stdout).toMatch(/would permit, and did not apply: owner_stops \(stops[.]cedar:\d+\)/);
  });

  test("refuses a question that does not have its form", slow, async () => {
    const bad = await runJson(["policy", "explain", "stop", "--principal", "erin", "--resource", "{"]);
    expect(bad).toMatchObject({ code: 2, json: { error: { code: "bad_json" } } });
    const odd = await runJson(["policy", "explain", "sign", "--principal", "erin", "--resource", '{"risk":null}']);
    expect(odd).toMatchObject({ code: 2, json: { error: { code: "bad_request" } } });
    // What the schema does not know is no question: the answer is no.
    const stray = await runJson([
      "policy",
      "explain",
      "stop",
      "--principal",
      "o",
      "--roles",
      "owner",
      "--resource",
      '{"colour":"red"}',
    ]);
    expect(stray).toMatchObject({ code: 1, json: { ruling: { rule: "policy_unavailable" } } });
  });
});

describe("policies that cannot be used", () => {
  const broken = { "own.cedar": '@id("own")\npermit (principal, action == Action::"fly", resource);\n' };
  const stray = { "own.ceder": "" };
  const schema = { "countersign.cedarschema": "" };

  test.each([
    ["a policy that is not valid", broken, /`own.cedar:2`: .*unrecognized action/],
    ["a file with another ending", stray, /`own.ceder` is no policy/],
    ["a schema of the project's own", schema, /is the program's own/],
  ])("are found by `check`: %s", slow, async (_what, files, message) => {
    await putProject(project, {});
    await putPolicies(files);
    expect((await runJson(["check", "--project", project])).json).toMatchObject({
      findings: [{ level: "error", about: "policies", problem: expect.stringMatching(message) }],
    });
  });

  test.each(["serve", "desk", "work"])("keep `%s` from starting", slow, async (command) => {
    await putProject(project, {});
    await putPolicies(broken);
    const env = {
      COUNTERSIGN_PROJECT: project,
      COUNTERSIGN_DECIDING_URL: "-",
      COUNTERSIGN_DESK_URL: "-",
      COUNTERSIGN_ACTING_URL: "-",
    };
    expect(await run([command], { env })).toMatchObject({ code: 2, stderr: expect.stringMatching(/`own.cedar:2`/) });
  });

  test("are refused where the setting names a folder that is not there", slow, async () => {
    const env = { COUNTERSIGN_POLICIES: join(project, "nowhere") };
    expect(await run(["policy", "test"], { env })).toMatchObject({
      ...{ code: 2, stderr: expect.stringMatching(/`COUNTERSIGN_POLICIES` names a folder that is not there/) },
    });
  });
});
