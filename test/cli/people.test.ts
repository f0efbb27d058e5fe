import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environmentOf, newFolder, patience, processesOf, remove, run, type Started, started } from "../start/installation.ts";
import { runJson } from "./command.ts";

// A project of somebody's own, without a sandbox: nothing of it is a demo, and its people are added by hand. The tests build on each other.
let directory: string;
let project: string;
let running: Started;
const keys: Record<string, string> = {};
beforeAll(async () => {
  directory = await newFolder();
  project = join(directory, "..", "my-project");
  await mkdir(project);
  for (const [name, text] of Object.entries(files())) await writeFile(join(project, name), text);
});
afterAll(() => remove(directory), 60_000);

function files(): Record<string, string> {
  const source = (name: string) => JSON.stringify(new URL(`../../src/${name}.ts`, import.meta.url).href);
  const zod = JSON.stringify(pathToFileURL(createRequire(import.meta.url).resolve("zod")).href);
  return {
    "project.ts": `import { defineCapability, defineProject } from ${source("index")};
import { z } from ${zod};
const echo = defineCapability({
  name: "echo", version: "1", owner: "us", description: "Says it again.", openTo: ["employee"],
  input: z.strictObject({ text: z.string().max(200) }), decision: z.strictObject({ said: z.string() }), needs: () => [],
  deciding: { kind: "rule", version: "1", rule: ({ inputs }) => ({ said: inputs.text }) },
  checks: [{ name: "said", run: ({ decision }) => ({ passed: decision.said !== "", evidence: "something was said" }) }],
  propose: () => ({ summary: "Said again", claims: [] }),
});
export default defineProject({ name: "mine", capabilities: [echo] });\n`,
    "decide.ts": `import { defineDeciding } from ${source("define/deciding")};
export default defineDeciding({ providers: [], records: [], hiddenValues: null });\n`,
    "hands.ts": `import { defineHands } from ${source("act/hands")};
export default defineHands({ records: [], hands: [] });\n`,
  };
}

const here = (...args: readonly string[]) => runJson([...args, "--directory", directory]);
const add = (id: string, tenant = "acme", role = "employee, approver") =>
  here("person", "add", id, "--tenant", tenant, "--role", role, "--name", "Ada Lind");
const begin = async (options: { env?: Record<string, string> } = {}) => {
  running = await started(directory, options);
};
const own = () => ({ env: { COUNTERSIGN_PROJECT: project } });
const end = async () => {
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
};
const settings = async () => JSON.parse(await readFile(join(directory, "secrets/settings.json"), "utf8"));
const echo = async (key: string | undefined, text: string) => {
  const inputs = JSON.stringify({ text });
  const { code, json } = await runJson(["decide", "echo", inputs, "--wait", "0", "--url", running.url, "--key", key ?? ""]);
  return { code, state: json["state"], stop: json["stop"], error: json.error?.code };
};

describe("before the first start", () => {
  test("a tenant is added once", patience, async () => {
    expect(await here("tenant", "add", "acme", "--name", "Acme Ltd")).toEqual({ code: 0, json: { tenant: "acme", isNew: true } });
    expect(await here("tenant", "add", "acme", "--name", "Other")).toEqual({ code: 0, json: { tenant: "acme", isNew: false } });
  });

  test("a person is added with a key that is shown once and kept nowhere", patience, async () => {
    const { code, json } = await add("emp-7");
    expect(code).toBe(0);
    expect(json).toMatchObject({
      id: "emp-7",
      tenant: "acme",
      roles: ["employee", "approver"],
      key: expect.stringMatching(/^csk_/),
    });
    keys["emp-7"] = String(json["key"]);
    expect(JSON.stringify(await settings())).not.toContain(keys["emp-7"]);
    const said = await run([
      ...["person", "add", "emp-9", "--tenant", "acme", "--role", "employee", "--name", "Bo", "--directory", directory],
    ]);
    expect(said).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("from the next `countersign start` on") });
  });

  test.each([
    ["a person who is known", () => add("emp-7"), "bad_request"],
    ["a tenant that is not there", () => add("emp-8", "globex"), "not_found"],
    ["an id that is none", () => add("Emp 8"), "bad_request"],
    ["a role that is none", () => add("emp-8", "acme", "employee,,approver"), "bad_request"],
    ["a tenant's id that is none", () => here("tenant", "add", "a,b", "--name", "x"), "bad_request"],
    ["a name that is none", () => here("tenant", "add", "umbra", "--name", " "), "bad_request"],
  ])("%s is refused, and nothing is changed", patience, async (_what, adding, code) => {
    const before = await settings();
    expect(await adding()).toMatchObject({ code: 2, json: { error: { code } } });
    expect(await settings()).toEqual(before);
  });
});

describe("a project without a sandbox", () => {
  test("is used with the key of a person who was added, and is no demo", patience, async () => {
    await begin(own());
    expect(running.output()).not.toMatch(/made-up|script/i);
    expect(await echo(keys["emp-7"], "hello")).toMatchObject({ code: 0, state: "answered" });
    const pids = await processesOf(directory);
    for (const pid of [pids.serve, pids.desk, pids.work]) {
      expect(await environmentOf(pid)).toMatchObject({ COUNTERSIGN_ENVIRONMENT: "development" });
    }
    expect(await environmentOf(pids.desk)).not.toHaveProperty("COUNTERSIGN_DEMO_PEOPLE");
  });

  test("never says the canary of its installation", patience, async () => {
    const { canary } = await settings();
    expect(await echo(keys["emp-7"], `so it is ${canary.toUpperCase()} then`)).toMatchObject({
      state: "stopped",
      stop: { reason: "blocked_by_guard" },
    });
  });

  test("knows a person who was added meanwhile from its next start on, and the earlier ones still", patience, async () => {
    keys["emp-8"] = String((await add("emp-8")).json["key"]);
    expect(await echo(keys["emp-8"], "hello")).toMatchObject({ code: 2, error: "unauthenticated" });
    await end();
    await begin(own());
    expect(await echo(keys["emp-8"], "hello")).toMatchObject({ code: 0, state: "answered" });
    expect(await echo(keys["emp-7"], "hello")).toMatchObject({ code: 0, state: "answered" });
  });

  test(
    "has its ledger verified against the heads in a folder that is named, and is at fault without them",
    patience,
    async () => {
      const heads = join(directory, "heads");
      expect(await here("ledger", "verify")).toMatchObject({
        code: 0,
        json: { heads, tenants: [{ tenant: "acme", broken: null }] },
      });
      await end();
      await cp(heads, `${heads}-kept`, { recursive: true });
      await rm(heads, { recursive: true });
      const verify = () => run(["ledger", "verify", "--directory", directory]);
      await expect.poll(verify, { timeout: 60_000 }).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(
          /^acme: BROKEN at entry \d+ [^\n]*\n {2}head_missing: [^\n]+\n {2}the only fault; [^\n]+\nheads looked for in .*heads\n$/,
        ),
      });
      await cp(`${heads}-kept`, heads, { recursive: true });
      expect((await verify()).code).toBe(0);
    },
  );
});

test("a start with a sandbox in between drops nobody, and shows its own people alone", patience, async () => {
  const known = await settings();
  await begin();
  const { desk } = await processesOf(directory);
  const shown = JSON.parse((await environmentOf(desk))["COUNTERSIGN_DEMO_PEOPLE"] ?? "[]");
  await end();
  const demo = await settings();
  expect(demo.accounts).toEqual(known.accounts);
  expect(demo.people.length).toBe(3);
  expect(shown).toEqual(demo.people);
  await begin(own());
  await end();
  expect(await settings()).toEqual(demo);
});
