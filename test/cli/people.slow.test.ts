import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withOwnerUrl } from "../../src/cli/embedded-url.ts";
import { environmentOf, newFolder, patience, processesOf, remove, run, type Started, started } from "../start/installation.ts";
import { runJson } from "./command.ts";
import { putOwnProject } from "./own-project.ts";

// A project of somebody's own, without a sandbox: nothing of it is a demo, and its people are added by hand. The tests build on each other.
let directory: string;
let project: string;
let running: Started;
const keys: Record<string, string> = {};
beforeAll(async () => {
  directory = await newFolder();
  project = join(directory, "..", "my-project");
  await putOwnProject(project);
});
afterAll(() => remove(directory), 60_000);

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
/** All that stands in the tables of people and tenants. */
const databaseText = () =>
  withOwnerUrl(directory, async (adminUrl) => {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    try {
      const tables = ["tenant", "account", "api_key"].map(
        (name) => `(select json_agg(${name} order by ${name}.*::text) from countersign.${name}) as ${name}`,
      );
      return JSON.stringify((await client.query(`select ${tables.join(", ")}`)).rows);
    } finally {
      await client.end();
    }
  });
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
    expect(await databaseText()).not.toContain(keys["emp-7"]);
    const said = await run([
      ...["person", "add", "emp-9", "--tenant", "acme", "--role", "employee", "--name", "Bo", "--directory", directory],
    ]);
    expect(said).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("known from now on") });
  });

  test.each([
    ["a person who is known", () => add("emp-7"), "bad_request"],
    ["a tenant that is not there", () => add("emp-8", "globex"), "not_found"],
    ["an id that is none", () => add("Emp 8"), "bad_request"],
    ["a role that is none", () => add("emp-8", "acme", "employee,,approver"), "bad_request"],
    ["a tenant's id that is none", () => here("tenant", "add", "a,b", "--name", "x"), "bad_request"],
    ["a name that is none", () => here("tenant", "add", "umbra", "--name", " "), "bad_request"],
  ])("%s is refused, and nothing is changed", patience, async (_what, adding, code) => {
    const before = await databaseText();
    expect(await adding()).toMatchObject({ code: 2, json: { error: { code } } });
    expect(await databaseText()).toEqual(before);
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

  test("knows whoever is added while it runs, their roles and their keys as they are at each request", patience, async () => {
    keys["emp-8"] = String((await add("emp-8")).json["key"]);
    expect(await echo(keys["emp-8"], "hello")).toMatchObject({ code: 0, state: "answered" });
    expect(await here("person", "roles", "emp-8", "visitor", "--tenant", "acme")).toMatchObject({ code: 0 });
    expect(await echo(keys["emp-8"], "hello")).toMatchObject({ code: 2, error: "unknown_capability" });
    await here("person", "roles", "emp-8", "employee", "--tenant", "acme");

    const more = (await here("key", "add", "emp-8", "--tenant", "acme", "--scopes", "read", "--days", "3")).json;
    expect(await echo(String(more["key"]), "hello")).toMatchObject({ code: 2, error: "forbidden" });
    const listed = (await here("key", "list", "--tenant", "acme")).json["keys"] as {
      id: string;
      account: string;
      lastUsedAt: string | null;
    }[];
    expect(listed.find(({ id }) => id === more["id"])).toMatchObject({
      account: "emp-8",
      scopes: ["read"],
      lastUsedAt: expect.any(String),
    });
    await here("key", "revoke", String(more["id"]));
    expect(await echo(String(more["key"]), "hello")).toMatchObject({ code: 2, error: "unauthenticated" });
    expect(await echo(keys["emp-8"], "hello")).toMatchObject({ code: 0, state: "answered" });
  });

  test("lets an agent ask for its person, as long as both may", patience, async () => {
    const agent = (...more: string[]) =>
      here("agent", "add", ...more, "--tenant", "acme", "--role", "employee", "--name", "Robot");
    expect(await agent("bot", "--on-behalf-of", "nobody")).toMatchObject({ code: 2, json: { error: { code: "not_found" } } });
    const key = String((await agent("bot", "--on-behalf-of", "emp-8")).json["key"]);
    expect(await here("key", "add", "bot", "--tenant", "acme", "--scopes", "sign")).toMatchObject({ code: 2 });
    expect(await echo(key, "hello")).toMatchObject({ code: 0, state: "answered" });
    await here("person", "deactivate", "emp-8", "--tenant", "acme");
    expect(await echo(key, "hello")).toMatchObject({ code: 2, error: "unauthenticated" });
    expect(await echo(keys["emp-8"], "hello")).toMatchObject({ code: 2, error: "unauthenticated" });
    await here("person", "activate", "emp-8", "--tenant", "acme");
    expect(await echo(key, "hello")).toMatchObject({ code: 0, state: "answered" });
  });

  test("asks and decides nothing for a tenant that is suspended, until it is let go on", patience, async () => {
    await here("tenant", "suspend", "acme");
    expect(await echo(keys["emp-7"], "hello")).toMatchObject({ code: 2, error: "tenant_suspended" });
    await here("tenant", "resume", "acme");
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
  const known = (await here("person", "list")).json["accounts"] as { id: string }[];
  await begin();
  const { desk } = await processesOf(directory);
  const shown = JSON.parse((await environmentOf(desk))["COUNTERSIGN_DEMO_PEOPLE"] ?? "[]");
  await end();
  const demo = await settings();
  expect(demo.people.length).toBe(3);
  expect(shown).toEqual(demo.people);
  await begin(own());
  await end();
  expect(await settings()).toEqual(demo);
  const after = (await here("person", "list")).json["accounts"] as { id: string }[];
  expect(after).toEqual(expect.arrayContaining(known));
});

test("a tenant that is closed is erased, and its ledger still verifies", patience, async () => {
  const close = (...yes: string[]) => here("tenant", "close", "acme", ...yes);
  expect(await close()).toMatchObject({ code: 2, json: { error: { code: "bad_request" } } });
  expect(await close("--yes", "acme")).toMatchObject({ code: 2, json: { error: { code: "in_progress" } } });
  await here("tenant", "suspend", "acme");
  const closed = await close("--yes", "acme");
  expect(closed).toMatchObject({ code: 0, json: { state: "closed", wasClosed: false } });
  expect(Number(closed.json["payloads"])).toBeGreaterThan(2);
  expect(await close("--yes", "acme")).toMatchObject({ code: 0, json: { wasClosed: true } });
  expect(await here("tenant", "resume", "acme")).toMatchObject({ code: 2, json: { error: { code: "not_found" } } });
  expect((await here("person", "list", "--tenant", "acme")).json["accounts"]).toEqual([]);
  const verified = await here("ledger", "verify", "--tenant", "acme");
  expect(verified).toMatchObject({ code: 0, json: { tenants: [{ broken: null, erasedPayloads: closed.json["payloads"] }] } });
});
