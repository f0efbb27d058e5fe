import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { stringify } from "yaml";
import type { EvalRun } from "../../src/evals/eval-run.ts";
import type { GateResult } from "../../src/evals/gate/finding.ts";
import { type Printed, runJson } from "../cli/command.ts";
import { processesIn, until } from "../postgres/embedded/server.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";
import { begin, run } from "../start/installation.ts";
import { putEvalProject, type TestCase } from "./eval-project.ts";

// The command as a user runs it: a scratch installation of real processes, asked over HTTP. Replies are scripted, as the example says.
const slow = { timeout: 600_000 };
let installation: MigratedDatabase;
let folder: string;

beforeAll(async () => {
  installation = await createMigratedDatabase();
});
afterAll(() => installation?.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-eval-command-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const calls = () => join(folder, "calls.txt");
const count = async () => (await readFile(calls(), "utf8").catch(() => "")).split("\n").length - 1;

const age: TestCase = {
  id: "laptop-age",
  request: "How old does a laptop have to be before I get a new one?",
  expectations: { decision: "answered", statements: { required: ["36 months"] }, evidence: ["passage:device-policy:3.1:3"] },
};
const before: TestCase = {
  id: "before-any-policy",
  request: "How old does a laptop have to be before I get a new one?",
  envelope: { principal: "emp-104", roles: ["employee"], at: "2015-01-01T00:00:00Z" },
  expectations: { refuses: true, stop: "not_in_sources" },
};
const mouse: TestCase = {
  id: "order-mouse",
  request: "My mouse is broken, please replace it",
  expectations: {
    decision: "replace",
    state: [{ query: "tickets.ofPerson", params: { person: "emp-104" }, row: { status: "open", device: "dev-2001" } }],
  },
};

async function project(cases: Readonly<Record<string, readonly TestCase[]>>, gate: object): Promise<string> {
  return putEvalProject(join(folder, "project"), { example: "it-support", cases, gate, calls: calls() });
}

function evalRun(place: string, ...more: readonly string[]) {
  const env = { COUNTERSIGN_ACTING_URL: installation.urls.acting, COUNTERSIGN_DESK_URL: installation.urls.desk };
  return runJson(["eval", "--project", place, "--directory", join(folder, "kept"), ...more], { env });
}

/** As the command prints it. */
function printed(json: Printed): { readonly run: EvalRun; readonly gate: GateResult; readonly isKept: boolean } {
  return json as unknown as ReturnType<typeof printed>;
}

test(
  "plays each repeat with real calls, carries out what a case wants carried out, and keeps, pins and reports the run",
  slow,
  async () => {
    const gate = {
      repeats: 2,
      pass_rate: 1,
      floors: [
        { metric: "cases.passed", least: 1 },
        { metric: "effects.final_state", least: 1 },
      ],
    };
    const place = await project({ answer_question: [age, before], replace_device: [mouse] }, gate);
    const [pin, html] = [join(folder, "pinned.json"), join(folder, "run.html")];
    const { code, json } = await evalRun(place, "--pin", pin, "--report", html);
    const { run: done, gate: judged, isKept } = printed(json);
    expect(
      done.cases.flatMap(({ id, repeats }) =>
        repeats.map(({ repeat, passed, scores }) => ({
          id,
          repeat,
          passed,
          why: scores.find((one) => one.passed === false)?.why,
        })),
      ),
    ).toEqual(
      ["laptop-age", "before-any-policy", "order-mouse"].flatMap((id) =>
        [1, 2].map((repeat) => ({ id, repeat, passed: true, why: undefined })),
      ),
    );
    expect(judged).toMatchObject({ passed: true });
    expect([code, isKept]).toEqual([0, true]);
    // Two cases ask a model, each repeat anew: a reply that was kept from the first would leave no call for the second.
    expect(await count()).toBeGreaterThanOrEqual(4);
    const [oneRepeat, other] = [1, 2].map(
      (repeat) => done.cases[0]?.repeats.find((one) => one.repeat === repeat)?.outcome.decisionId,
    );
    expect(oneRepeat).not.toBe(other);
    // The same state was changed twice, each time in a sandbox of its own.
    expect(done.cases[2]?.repeats.map(({ outcome }) => outcome.state)).toEqual(["done", "done"]);
    expect(await readFile(html, "utf8")).toContain("laptop-age");
    const history = await runJson(["eval", "history", "--project", place], {
      env: { COUNTERSIGN_DESK_URL: installation.urls.desk },
    });
    expect(history.json["items"]).toMatchObject([
      { id: done.id, project: "it-support", cases: 3, passedCases: 3, gatePassed: true, failing: [] },
    ]);
    expect(JSON.stringify(history.json)).not.toContain("How old does a laptop");

    // Against its own pin nothing got worse.
    const again = await evalRun(place, "--baseline", pin, "--repeats", "1", "--capability", "answer_question");
    expect(printed(again.json).gate.findings.map(({ rule, passed }) => `${rule} ${passed}`)).toContain("regression_cases true");
    expect(again.code).toBe(0);
  },
);

test("exits with 1 and names the metric where the gate is not passed, and leaves the pinned run as it is", slow, async () => {
  const leak: TestCase = { ...age, id: "never-36", label: "safety", expectations: { statements: { forbidden: ["36 months"] } } };
  const place = await project({ answer_question: [age, leak] }, { repeats: 1 });
  const pin = join(folder, "pinned.json");
  await writeFile(pin, "the run of last week");
  const { code, stdout, stderr } = await run(["eval", "--project", place, "--directory", join(folder, "kept"), "--pin", pin]);
  expect(code).toBe(1);
  expect(stdout).toContain("answers.forbidden_statements");
  expect(stdout).toContain("never-36");
  expect(stderr).toContain("is left as it is");
  expect(await readFile(pin, "utf8")).toBe("the run of last week");
});

test("goes on where it was killed, counts no repeat twice, and leaves nothing of the killed one", slow, async () => {
  const repeats = 60;
  const place = await project({ answer_question: [age] }, { repeats });
  const kept = join(folder, "kept", "evals", "it-support.unfinished.jsonl");
  const lines = async () => (await readFile(kept, "utf8").catch(() => "")).split("\n").length - 2;
  const args = ["eval", "--project", place, "--directory", join(folder, "kept"), "--parallel", "1"];
  const killed = begin(args);
  let isOver = false;
  killed.ended.then(() => {
    isOver = true;
  });
  await until(async () => isOver || (await lines()) >= 3);
  expect(isOver, killed.output()).toBe(false);
  killed.child.kill("SIGKILL");
  await killed.ended;
  const before = await lines();
  expect(before).toBeLessThan(repeats);
  const { scratch } = JSON.parse(await readFile(join(folder, "kept", "evals", "it-support.scratch.json"), "utf8"));
  const asked = await count();
  const { json, code } = await evalRun(place, "--resume", "--parallel", "1");
  const { run: done } = printed(json);
  expect(code).toBe(0);
  expect(done.cases[0]?.repeats.map(({ repeat }) => repeat)).toEqual(Array.from({ length: repeats }, (_, at) => at + 1));
  const decisions = done.cases[0]?.repeats.map(({ outcome }) => outcome.decisionId) ?? [];
  expect(new Set(decisions).size).toBe(repeats);
  // What was kept is not asked again; at most the one that was under way when it was killed is.
  const perRepeat = ((await count()) - asked) / (repeats - before);
  expect(perRepeat).toBeGreaterThanOrEqual(1);
  expect(asked).toBeLessThanOrEqual((before + 1) * perRepeat);
  expect(existsSync(scratch)).toBe(false);
  expect(await processesIn(scratch)).toEqual([]);
  expect(existsSync(kept)).toBe(false);
});

test.each([
  [
    "relies on a passage that the sandbox does not have",
    { fixtures: { seed: "sandbox", passages: ["passage:nowhere:1:1"] } },
    "passage:nowhere:1:1",
  ],
  ["gives a person of the sandbox other roles", { envelope: { principal: "emp-104", roles: ["approver"] } }, "emp-104"],
])("refuses a case that %s, naming both", slow, async (_what, part, said) => {
  const place = await project({ answer_question: [{ ...age, ...part }] }, { repeats: 1 });
  const { code, json } = await evalRun(place);
  expect(code).toBe(2);
  expect(json.error).toMatchObject({ code: "definition_invalid", message: expect.stringContaining("laptop-age") });
  expect(json.error?.message).toContain(said);
});

test("refuses cases of what is no capability of the project, before anything is started", slow, async () => {
  const place = await project({ answer_question: [age], answer_questoin: [{ ...age, id: "stray" }] }, { repeats: 1 });
  const { code, json } = await evalRun(place);
  expect(code).toBe(2);
  expect(json.error).toMatchObject({
    code: "definition_invalid",
    message: expect.stringContaining("`evals/answer_questoin.yaml`"),
  });
  expect(await count()).toBe(0);
});

test("caps what judges may cost: what has no price is not asked under a cap, and the gate says so", slow, async () => {
  const at = (path: string) => JSON.stringify(fileURLToPath(new URL(`../../${path}`, import.meta.url)));
  const decide = `import decide from ${at("examples/it-support/decide.ts")};
import { scriptedProvider } from ${at("src/testing/index.ts")};
const reply = JSON.stringify({ correct: { because: "as in the policy", reading: "right" } });
// A script that is taken for a model, of which no prices are known.
const reader = { ...scriptedProvider({ name: "reader", boundary: "on", lines: [{ purpose: "judge", when: /(?:)/, replies: [reply] }] }), isScripted: false };
export default { ...decide, providers: [...decide.providers, reader] };\n`;
  const rubric = stringify({
    ...{ name: "helpful", version: "1", task: "Answers about devices.", floor: 0.5 },
    ...{ model: { provider: "reader", id: "reader-2026-02-01" }, capabilities: ["answer_question"] },
    criteria: [
      {
        ...{ id: "correct", asks: "Is it right?", weight: 1 },
        anchors: [
          { reading: "wrong", worth: 0, means: "it is not" },
          { reading: "right", worth: 1, means: "it is" },
        ],
      },
    ],
  });
  const place = await putEvalProject(join(folder, "judged"), {
    ...{ example: "it-support", cases: { answer_question: [age] }, gate: { repeats: 1 }, calls: calls() },
    files: { "decide.ts": decide, "evals/judges/helpful.yaml": rubric },
  });
  const judged = async (...more: readonly string[]) => {
    const { run: done, gate } = printed((await evalRun(place, ...more)).json);
    const score = done.cases[0]?.repeats[0]?.scores.find(({ metric }) => metric === "judge.helpful");
    return { value: score?.value, rules: gate.findings.filter(({ passed }) => !passed).map(({ rule }) => rule) };
  };
  expect(await judged()).toEqual({ value: 1, rules: [] });
  expect(await judged("--judge-cost", "5000000")).toEqual({ value: null, rules: ["judge_down"] });
  expect((await evalRun(place, "--judge-cost", "0.5")).json.error).toMatchObject({ code: "bad_request" });
});
