import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isGone, killIfThere, until } from "../postgres/embedded/server.ts";
import {
  answers,
  databaseOf,
  environmentOf,
  newFolder,
  patience,
  processesOf,
  remove,
  run,
  type Started,
  started,
} from "./installation.ts";

// One installation through its life, in a folder whose name is not plain. The tests build on each other.
let directory: string;
let running: Started;
const decisions: string[] = [];
const outputs: string[] = [];
const secrets = new Set<string>();
beforeAll(async () => {
  directory = await newFolder("Büro für Anträge");
});
afterAll(() => remove(directory), 60_000);

const cli = async (...args: string[]) => {
  const ended = await run([...args, "--directory", directory]);
  outputs.push(ended.stdout, ended.stderr);
  return ended;
};
const ask = async (text: string) => {
  const { stdout, code } = await cli("ask", text, "--json", "--wait", "60");
  expect(code, stdout).toBe(0);
  const { decision } = JSON.parse(stdout);
  decisions.push(decision.id);
  return decision;
};
const begin = async () => {
  running = await started(directory);
};
const ended = async () => {
  const { code, stdout, stderr } = await running.ended;
  outputs.push(stdout, stderr);
  return { code, stderr };
};

describe("an installation", () => {
  test("starts, decides and acts", patience, async () => {
    const begun = performance.now();
    await begin();
    console.log(`ready after ${Math.round(performance.now() - begun)} ms`);
    expect(await ask("My mouse is broken, please replace it")).toMatchObject({ state: "done", isScripted: true });
  });

  test("gives each process its own secrets and no other's", patience, async () => {
    const pids = await processesOf(directory);
    const [serve, desk, work, ingest] = await Promise.all([pids.serve, pids.desk, pids.work, pids.ingest].map(environmentOf));
    const ofAll = ["COUNTERSIGN_ENVIRONMENT", "COUNTERSIGN_PAYLOAD_KEY", "COUNTERSIGN_PROJECT"];
    const own = (env: Record<string, string> | undefined) =>
      Object.keys(env ?? {})
        .filter(
          (name) =>
            !["PATH", "HOME", "TMPDIR", "TZ", "LANG", "NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"].includes(name),
        )
        .sort();
    expect(own(serve)).toEqual(
      [
        ...ofAll,
        "COUNTERSIGN_ASSERTION_PUBLIC_KEYS",
        "COUNTERSIGN_CANARIES",
        "COUNTERSIGN_DECIDER_PORT",
        "COUNTERSIGN_DECIDING_URL",
        "COUNTERSIGN_PRIVACY_PUBLIC_KEYS",
        "HELPDESK_READ_URL",
      ].sort(),
    );
    expect(own(desk)).toEqual(
      [
        ...ofAll,
        "COUNTERSIGN_ASSERTION_KEY",
        "COUNTERSIGN_DECIDER_URL",
        "COUNTERSIGN_DEMO_PEOPLE",
        "COUNTERSIGN_DESK_KEY",
        "COUNTERSIGN_DESK_URL",
        "PORT",
      ].sort(),
    );
    expect(own(work)).toEqual(
      [
        ...ofAll,
        "COUNTERSIGN_ACTING_URL",
        "COUNTERSIGN_CHECKPOINTS",
        "COUNTERSIGN_DESK_PUBLIC_KEYS",
        "COUNTERSIGN_HEADS",
        "COUNTERSIGN_LEDGER_KEY",
        "COUNTERSIGN_POLICY_KEY",
        "HELPDESK_OBSERVE_URL",
        "HELPDESK_WRITE_URL",
      ].sort(),
    );
    // It opens no payload, so it is not told the key of any.
    expect(own(ingest)).toEqual(["COUNTERSIGN_ENVIRONMENT", "COUNTERSIGN_INGESTING_URL", "COUNTERSIGN_PROJECT"]);
    const settings = JSON.parse(await readFile(join(directory, "secrets/settings.json"), "utf8"));
    const whole = [serve, desk, work, ingest].map((env) => JSON.stringify(env));
    // Who holds what, by value: a secret under another name would be just as known.
    const holders = (value: string) => whole.map((text) => text.includes(value));
    expect(holders(settings.deskKey)).toEqual([false, true, false, false]);
    expect(settings.canary).toMatch(/^canary-[0-9a-f]{24}$/);
    expect(holders(settings.canary)).toEqual([true, false, false, false]);
    expect(holders(settings.policyKey)).toEqual([false, false, true, false]);
    expect(holders(settings.privacyKeys.secret)).toEqual([false, false, false, false]);
    expect(holders(settings.ledgerKeys.secret)).toEqual([false, false, true, false]);
    expect(holders(settings.rolePasswords.deciding)).toEqual([true, false, false, false]);
    expect(holders(settings.rolePasswords.desk)).toEqual([false, true, false, false]);
    expect(holders(settings.rolePasswords.acting)).toEqual([false, false, true, false]);
    expect(holders(settings.rolePasswords.ingesting)).toEqual([false, false, false, true]);
    const admin = (await readFile(join(directory, "secrets/admin-password"), "utf8")).trim();
    expect(holders(admin)).toEqual([false, false, false, false]);
    for (const { key } of settings.people) expect(holders(key)).toEqual([false, true, false, false]);
    const passwordOf = (env: Record<string, string> | undefined, name: string) => new URL(env?.[name] ?? "").password;
    const project = [
      passwordOf(serve, "HELPDESK_READ_URL"),
      passwordOf(work, "HELPDESK_WRITE_URL"),
      passwordOf(work, "HELPDESK_OBSERVE_URL"),
    ];
    expect(project.map(holders)).toEqual([
      [true, false, false, false],
      [false, false, true, false],
      [false, false, true, false],
    ]);
    const people: { key: string }[] = settings.people;
    for (const secret of [
      settings.payloadKey,
      settings.deskKey,
      settings.policyKey,
      settings.privacyKeys.secret,
      settings.ledgerKeys.secret,
      ...Object.values<string>(settings.rolePasswords),
      ...people.map(({ key }) => key),
      admin,
      ...project,
    ])
      secrets.add(secret);
    expect(secrets.size).toBeGreaterThan(10);
  });

  test("is found well by `doctor`, but for a role whose password is another", patience, async () => {
    const looks = async () => {
      const { code, stdout } = await cli("doctor", "--json");
      const all: { name: string; state: string }[] = JSON.parse(stdout).looks;
      return {
        code,
        broken: all.filter(({ state }) => state === "broken").map(({ name }) => name),
        count: all.length,
        sealing: all.find(({ name }) => name === "sealing acme")?.state,
      };
    };
    expect(await looks()).toEqual({ code: 0, broken: [], count: 11, sealing: "well" });
    const file = join(directory, "secrets/settings.json");
    const kept = await readFile(file, "utf8");
    const settings = JSON.parse(kept);
    await writeFile(file, JSON.stringify({ ...settings, rolePasswords: { ...settings.rolePasswords, desk: "another" } }));
    expect(await looks()).toEqual({ code: 1, broken: ["role desk"], count: 11, sealing: "well" });
    await writeFile(file, kept);
    expect(await cli("ledger", "verify", "--tenant", "nobody", "--json")).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("not_found"),
    });
  });

  test("is not started twice, and a second start does it no harm", patience, async () => {
    const before = await processesOf(directory);
    const second = await cli("start", "--port", "0");
    expect(second).toMatchObject({ code: 2, stdout: "" });
    expect(second.stderr).toContain(`already_running: this installation is already running at ${running.url}`);
    expect(await processesOf(directory)).toEqual(before);
    expect(await answers(running.url)).toBe(true);
  });

  test.each(["serve", "desk", "work", "ingest"] as const)(
    "starts `%s` again at the same address when it is killed, and says so",
    patience,
    async (name) => {
      const killed = (await processesOf(directory))[name];
      process.kill(killed, "SIGKILL");
      await until(async () => {
        const now = (await processesOf(directory))[name];
        return now !== killed && running.output().includes(`\`${name}\` works again`);
      });
      expect(running.output()).toContain(`\`${name}\` ended with SIGKILL; starting it again`);
      expect(await readFile(join(directory, `${name}.log`), "utf8")).toContain("ended with SIGKILL");
      expect(await ask("My mouse is broken, please replace it")).toMatchObject({ capability: "replace_device", stop: null });
    },
  );

  test("starts the database again when it is killed", patience, async () => {
    const killed = await databaseOf(directory);
    expect(killed.length).toBeGreaterThan(1);
    for (const pid of killed) killIfThere(pid);
    await until(async () => running.output().includes("the database works again"));
    const told = /"background":"work","times":\d+,"name":"CountersignError","code":"database_unavailable"/;
    await until(async () => told.test(await readFile(join(directory, "work.log"), "utf8")));
    expect((await cli("ledger", "verify", "--json")).code).toBe(0);
    expect(await ask("How old may a laptop be before it is replaced?")).toMatchObject({ stop: null });
  });

  test("recovers when everything was killed, with what was decided before", patience, async () => {
    const killed = [...(await processesOf(directory)).all, ...(await databaseOf(directory))];
    for (const pid of killed) killIfThere(pid);
    await running.ended;
    await until(async () => (await Promise.all(killed.map(isGone))).every((gone) => gone));
    expect(await cli("doctor")).toMatchObject({ code: 1, stdout: expect.stringContaining("start again, which recovers") });
    await begin();
    for (const id of decisions) expect(await cli("explain", id, "--json"), id).toMatchObject({ code: 0 });
    const verified = JSON.parse((await cli("ledger", "verify", "--json")).stdout);
    expect(verified.tenants).toMatchObject([{ tenant: "acme", broken: null }]);
    expect(verified.tenants[0].sealed).toBeGreaterThanOrEqual(decisions.length);
  });

  test("ends its processes within seconds when `start` alone is killed, and starts again", patience, async () => {
    const pids = await processesOf(directory);
    process.kill(pids.start, "SIGKILL");
    const killedAt = performance.now();
    await until(async () => (await Promise.all(pids.all.map(isGone))).every((gone) => gone));
    expect(performance.now() - killedAt).toBeLessThan(30_000);
    await begin();
    expect(await answers(running.url)).toBe(true);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("ends everything on %s, the database too", patience, async (signal) => {
    if (!(await answers(running.url))) await begin();
    const left = [...(await processesOf(directory)).all, ...(await databaseOf(directory))];
    running.child.kill(signal);
    expect(await ended()).toEqual({ code: 0, stderr: "" });
    await until(async () => (await Promise.all(left.map(isGone))).every((gone) => gone));
    expect(await readdir(directory)).not.toContain("run.json");
  });

  test("is ended by `stop`, which leaves nothing running and a folder that starts again", patience, async () => {
    await begin();
    const left = [...(await processesOf(directory)).all, ...(await databaseOf(directory))];
    expect(await cli("stop", "--json")).toMatchObject({ code: 0, stdout: expect.stringContaining('"processes":5') });
    expect((await Promise.all(left.map(isGone))).every((gone) => gone)).toBe(true);
    expect(await ended()).toEqual({ code: 0, stderr: "" });
    expect(await cli("stop")).toMatchObject({ code: 0, stdout: "nothing was running\n" });
    expect(JSON.parse((await cli("ledger", "verify", "--json")).stdout).tenants).toMatchObject([
      { tenant: "acme", broken: null },
    ]);
    expect(await databaseOf(directory)).toEqual([]);
  });

  test("has written no secret into a log or onto the screen", async () => {
    const names = (await readdir(directory)).filter((name) => name.endsWith(".log"));
    expect(names.sort()).toEqual(["desk.log", "ingest.log", "postgres.log", "serve.log", "work.log"]);
    const texts = [
      ...outputs,
      running.output(),
      ...(await Promise.all([...names, "heads"].map((name) => readFile(join(directory, name), "utf8").catch(() => "")))),
    ];
    expect(secrets.size).toBeGreaterThan(10);
    for (const secret of secrets) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    for (const text of texts) expect(text.includes("\u001b[")).toBe(false);
  });
});
