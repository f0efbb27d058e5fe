import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settingRows } from "../../src/cli/setting-rows.ts";
import { openSettings, type Settings } from "../../src/cli/settings.ts";
import { type SettingInForce, settingsInForce } from "../../src/cli/settings-in-force.ts";
import { run } from "../start/installation.ts";
import { runJson } from "./command.ts";

let folder: string;
let settings: Settings;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-config-"));
  const people = [{ tenant: "acme", id: "emp-1", name: "Ida Moss", roles: ["employee"] }];
  settings = await openSettings({ directory: folder, people });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const slow = { timeout: 60_000 };
const project = "examples/starter";

/** One setting, in an installation that is there or not. */
function inForce(name: string, { env = {}, installed = true, flags = {}, inVault = [] as string[] } = {}): SettingInForce {
  const place = { directory: folder, project, settings: installed ? settings : null, hasSandbox: true, vault: null };
  const found = settingsInForce(place, { env, flags, inVault }).find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no setting ${name}`);
  return found;
}

describe("countersign config", () => {
  it("lists what docs/settings.md lists, in its order", async () => {
    const page = await readFile(new URL("../../docs/settings.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
    );
    expect(Object.keys(settingRows)).toEqual(rows);
  });

  it.each([
    ["a flag before all", "PORT", { env: { PORT: "1" }, flags: { PORT: "2" } }, { value: "2", source: "flag" }],
    ["the environment", "PORT", { env: { PORT: "8080" } }, { value: "8080", source: "environment" }],
    ["the default", "PORT", {}, { value: "4600", source: "default" }],
    ["nothing", "COUNTERSIGN_REGION", { env: { COUNTERSIGN_REGION: " " } }, { isSet: false, value: null, source: "nobody" }],
    [
      "the sandbox's word",
      "COUNTERSIGN_ENVIRONMENT",
      { env: { COUNTERSIGN_ENVIRONMENT: "production" } },
      { value: "demo", source: "start" },
    ],
    [
      "one by one",
      "COUNTERSIGN_ENVIRONMENT",
      { env: { COUNTERSIGN_ENVIRONMENT: "production" }, installed: false },
      { value: "production", source: "environment" },
    ],
    ["a key of the installation", "COUNTERSIGN_DESK_KEY", {}, { isSet: true, value: null, source: "file" }],
    ["no key yet", "COUNTERSIGN_DESK_KEY", { installed: false }, { isSet: false, source: "nobody" }],
    [
      "a login of one's own",
      "COUNTERSIGN_DESK_URL",
      { env: { COUNTERSIGN_DESK_URL: "postgresql://d:pw@h/x" } },
      { isSet: true, value: null, source: "environment" },
    ],
    [
      "a vault",
      "COUNTERSIGN_METRICS_KEY",
      { env: { COUNTERSIGN_METRICS_KEY: "e" }, inVault: ["COUNTERSIGN_METRICS_KEY"] },
      { isSet: true, value: null, source: "vault file" },
    ],
    ["what each start makes", "COUNTERSIGN_ASSERTION_KEY", {}, { isSet: true, value: null, source: "start" }],
    [
      "an address without what opens it",
      "COUNTERSIGN_LEDGER_WITNESS",
      { env: { COUNTERSIGN_LEDGER_WITNESS: "https://u:p@w.example/a?token=t" } },
      { value: "https://w.example/a" },
    ],
  ])("tells %s", (_what, name, said, expected) => {
    expect(inForce(name, said)).toMatchObject(expected);
  });

  it("says where `start` passes over the environment", () => {
    const { note } = inForce("COUNTERSIGN_PAYLOAD_KEY", { env: { COUNTERSIGN_PAYLOAD_KEY: "x" } });
    expect(note).toMatch(/`start` passes over/);
  });

  it("joins the keys of both where both count", () => {
    const both = inForce("COUNTERSIGN_PRIVACY_PUBLIC_KEYS", { env: { COUNTERSIGN_PRIVACY_PUBLIC_KEYS: "abc" } });
    expect(both).toMatchObject({ value: `${settings.privacyKeys.open},abc`, source: "file and environment" });
  });

  it("prints no secret, whether it comes from the installation's file or from the environment", slow, async () => {
    const env = {
      COUNTERSIGN_METRICS_KEY: "metrics-key-of-24-signs-or-more",
      DATABASE_URL: "postgresql://owner:owner-word@db.example/x",
    };
    const { code, stdout } = await run(["config", "--directory", folder, "--project", project], { env });
    expect(code).toBe(0);
    expect(stdout).toContain("COUNTERSIGN_METRICS_KEY=set  (environment)");
    expect(stdout).toContain("COUNTERSIGN_PROJECT=examples/starter  (flag)");
    const { payloadKey, deskKey, policyKey, canary, rolePasswords, people, privacyKeys, ledgerKeys } = settings;
    const secrets = [
      payloadKey,
      deskKey,
      policyKey,
      canary,
      privacyKeys.secret,
      ledgerKeys.secret,
      ...Object.values(rolePasswords),
    ];
    for (const secret of [...secrets, ...people.map(({ key }) => key), env.COUNTERSIGN_METRICS_KEY, "owner-word"])
      expect(stdout).not.toContain(secret);
  });

  it("names what is wrong, without its value, and ends with exit code 1", slow, async () => {
    const env = {
      PORT: "port-of-mine",
      COUNTERSIGN_DEKS_KEY: "typed-wrong",
      COUNTERSIGN_POLICY_KEY: "no-key-at-all",
      DATABASE_URL: "mysql://u:secret-word@h/x",
      COUNTERSIGN_METRICS_PORT: "9000",
      COUNTERSIGN_ACTING_SECRETS: "SHOP_URL",
    };
    const { code, json } = await runJson(["config", "--directory", folder, "--project", "examples/nothing"], { env });
    const faults = (json["faults"] as { name: string }[]).map(({ name }) => name); // as config.ts prints it
    expect(code).toBe(1);
    expect(faults.sort()).toEqual([...Object.keys(env), "COUNTERSIGN_PROJECT"].sort());
    expect(JSON.stringify(json)).not.toMatch(/secret-word|no-key-at-all|typed-wrong/);
  });
});
