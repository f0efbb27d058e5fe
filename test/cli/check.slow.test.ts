import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { embeddedStatus } from "../../src/store/embedded.ts";
import { run } from "../start/installation.ts";
import { decideWith, handsWith, putProject, records, sound, writingWith } from "./check-project.ts";
import { runJson } from "./command.ts";

// Projects with a fault, written for one test each, and what `check`, `start` and `doctor` say of them.
let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "countersign-check-"));
});
afterEach(() => rm(project, { recursive: true, force: true }));

const slow = { timeout: 60_000 };
const put = (files: Readonly<Record<string, string>>) => putProject(project, files);
const check = () => runJson(["check", "--project", project]);

describe("check", () => {
  test("passes a project that is as it should be, and the example", slow, async () => {
    await put({});
    expect(await check()).toEqual({ code: 0, json: { project: "sample", capabilities: [], cases: {}, findings: [] } });
    const example = await run(["check"]);
    expect(example).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("the halves stay apart and share no secret"),
    });
    expect(example.stdout).toMatch(/^it-support: 4 capabilities \(answer_question, replace_device, ticket_state, slow_laptop\)/);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      "project.ts reaches hands.ts",
      { "project.ts": `import "./hands.ts";\n${sound["project.ts"]}` },
      "`project.ts` reaches `hands.ts`; keep the halves apart",
    ],
    [
      "project.ts reaches hands.ts through a file",
      {
        "project.ts": `import "./a/b.ts";\n${sound["project.ts"]}`,
        "a/b.ts": 'export * from "../c.ts";\n',
        "c.ts": 'import "./hands.ts";\n',
      },
      "`project.ts` reaches `hands.ts` through `c.ts`; keep the halves apart",
    ],
    [
      "project.ts reaches hands.ts by types alone",
      { "project.ts": `import type hands from "./hands.ts";\n${sound["project.ts"]}` },
      "`project.ts` reaches `hands.ts`; keep the halves apart",
    ],
    [
      "project.ts reaches hands.ts when it runs",
      { "project.ts": `export const later = () => import('./hands.ts');\n${sound["project.ts"]}` },
      "`project.ts` reaches `hands.ts`; keep the halves apart",
    ],
    [
      "project.ts reaches decide.ts",
      { "project.ts": `import "./decide.ts";\n${sound["project.ts"]}` },
      "`project.ts` reaches `decide.ts`; keep the halves apart",
    ],
    [
      "decide.ts reaches hands.ts",
      { "decide.ts": `export { default as hands } from "./hands.ts";\n${sound["decide.ts"]}` },
      "`decide.ts` reaches `hands.ts`; keep the halves apart",
    ],
    [
      "hands.ts reaches decide.ts",
      { "hands.ts": `import "./decide.ts";\n${sound["hands.ts"]}` },
      "`hands.ts` reaches `decide.ts`; keep the halves apart",
    ],
    [
      "hands.ts reaches the sandbox",
      { "hands.ts": `import "./sandbox.ts";\n${sound["hands.ts"]}`, "sandbox.ts": "" },
      "`hands.ts` reaches `sandbox.ts`; keep the halves apart",
    ],
  ])("finds that %s, with exit code 1, without loading it", slow, async (_what, files, message) => {
    const trap = join(project, "was-loaded");
    const loud = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(trap)}, "");\n`;
    await put(Object.fromEntries(Object.entries({ ...sound, ...files }).map(([name, text]) => [name, `${loud}${text}`])));
    const { code, json } = await check();
    expect(code).toBe(1);
    expect(json).toMatchObject({
      project: null,
      findings: expect.arrayContaining([expect.objectContaining({ level: "error", message })]),
    });
    expect(existsSync(trap)).toBe(false);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      "both halves declare one secret",
      { "hands.ts": handsWith(records("observes", "SYSTEM_READ")) },
      /the deciding and the acting half both declare `SYSTEM_READ`/,
    ],
    [
      "what writes would read for the deciding half",
      { "hands.ts": handsWith("[]", writingWith("SYSTEM_READ", "SYSTEM_OBSERVE")) },
      /both declare `SYSTEM_READ`/,
    ],
    [
      "what writes also observes",
      { "hands.ts": handsWith("[]", writingWith("SYSTEM_ALL", "SYSTEM_ALL")) },
      /`SYSTEM_ALL` would both write and observe/,
    ],
    [
      "a half declares a key of ours",
      { "decide.ts": decideWith(records("reads", "COUNTERSIGN_POLICY_KEY")) },
      /`COUNTERSIGN_POLICY_KEY`; names with `COUNTERSIGN_` are Countersign's own/,
    ],
    [
      "a secret has no name of a variable",
      { "decide.ts": decideWith(records("reads", "postgresql://x:y@z")) },
      /are no names of variables/,
    ],
  ])("finds that %s, with exit code 1", slow, async (_what, files, message) => {
    await put(files);
    expect(await check()).toMatchObject({
      code: 1,
      json: { project: "sample", findings: [{ level: "error", message: expect.stringMatching(message) }] },
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ["does not parse", { "project.ts": "export default {{{" }, "definition_invalid"],
    ["has no default export", { "project.ts": "export const project = {};" }, "definition_invalid"],
    [
      "breaks a rule of definitions",
      { "project.ts": `${sound["project.ts"].replace('"sample"', '"Not An Id"')}` },
      "definition_invalid",
    ],
    ["throws while its deciding half is loaded", { "decide.ts": "throw new Error('no network');" }, "definition_invalid"],
    ["ends the process while its acting half is loaded", { "hands.ts": "process.exit(0);" }, "definition_invalid"],
  ])("refuses a project that %s, with exit code 2", slow, async (_what, files, code) => {
    await put(files);
    expect(await check()).toMatchObject({ code: 2, json: { error: { code } } });
  });

  test("refuses a folder without the three files, and one that does not exist", slow, async () => {
    expect(await check()).toMatchObject({ code: 2, json: { error: { code: "configuration_invalid" } } });
    expect(await runJson(["check", "--project", join(project, "nowhere")])).toMatchObject({
      code: 2,
      json: { error: { code: "configuration_invalid" } },
    });
  });
});

test("start refuses a project whose halves share a secret, and leaves nothing running", { timeout: 120_000 }, async () => {
  await put({ "hands.ts": handsWith(records("observes", "SYSTEM_READ")) });
  const directory = join(project, ".countersign");
  const refused = await runJson(["start", "--project", project, "--directory", directory, "--port", "0"]);
  expect(refused).toMatchObject({
    code: 2,
    json: { error: { code: "configuration_invalid", message: expect.stringContaining("SYSTEM_READ") } },
  });
  expect((await embeddedStatus({ directory })).kind).toBe("stopped");
  expect(existsSync(join(directory, "run.json"))).toBe(false);
});

describe("doctor", () => {
  const doctor = (...more: string[]) => runJson(["doctor", "--directory", join(project, ".countersign"), ...more]);
  const looks = (json: { readonly [member: string]: unknown }) => json["looks"];

  test("finds nothing wrong where nothing was started yet", slow, async () => {
    const { code, json } = await doctor();
    expect(code).toBe(0);
    expect(looks(json)).toEqual(
      expect.arrayContaining([{ name: "settings", state: "note", detail: "none yet; `countersign start` makes them" }]),
    );
    expect(existsSync(join(project, ".countersign"))).toBe(false);
  });

  test("says that the project lacks a file", slow, async () => {
    const { code, json } = await doctor("--project", project);
    expect(code).toBe(1);
    expect(looks(json)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: "project",
          state: "broken",
          detail: expect.stringContaining("lacks project.ts, decide.ts, hands.ts"),
        }),
      ]),
    );
  });

  test("says that the settings are damaged, and shows none of them", slow, async () => {
    await mkdir(join(project, ".countersign/secrets"), { recursive: true });
    await writeFile(join(project, ".countersign/secrets/settings.json"), '{"version":1,"payloadKey":"a-secret-value"}');
    const { code, json } = await doctor();
    expect(code).toBe(1);
    expect(looks(json)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "settings", state: "broken", detail: expect.stringContaining("is damaged") }),
      ]),
    );
    expect(JSON.stringify(json)).not.toContain("a-secret-value");
  });
});

test("ledger verify refuses where nothing is installed", slow, async () => {
  const refused = await runJson(["ledger", "verify", "--directory", join(project, ".countersign")]);
  expect(refused).toMatchObject({ code: 2, json: { error: { code: "configuration_invalid" } } });
});
