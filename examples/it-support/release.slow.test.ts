import { afterAll, beforeAll, expect, it } from "vitest";
import { runRelease } from "../../src/release.ts";
import { shippedPolicy } from "../../test/setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../../test/setup/project-database.ts";
import hands from "./hands.ts";
import project from "./project.ts";
import { installSandbox } from "./sandbox/install.ts";
import { seedDemo } from "./sandbox/seed.ts";
import sandbox from "./sandbox.ts";

let database: MigratedDatabase;

beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(async () => database?.drop());

it.each(project.effects.map((effect) => [effect.name, effect] as const))(
  "the effect %s stands the release matrix",
  { timeout: 300_000 },
  async (name, effect) => {
    const { adminUrl, urls } = database;
    // The logins belong to the whole server: those of the other tests have these passwords too.
    const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
    const { HELPDESK_WRITE_URL, HELPDESK_OBSERVE_URL } = await installSandbox({ adminUrl, passwords });
    await seedDemo({ adminUrl, tenant: "acme" });
    const secrets = { HELPDESK_WRITE_URL, HELPDESK_OBSERVE_URL };
    const report = await runRelease({
      policy: shippedPolicy,
      project,
      hands,
      effect,
      samples: sandbox.release?.[name],
      secrets,
      adminUrl,
      urls,
    });
    expect(report.cells.filter(({ state }) => state !== "passed" && state !== "not_applicable")).toEqual([]);
    expect(report.isPassed).toBe(true);
    // What does not apply to these effects, and nothing else.
    const left = name === "create_ticket" ? ["target_denied"] : [];
    expect(report.cells.filter(({ state }) => state === "not_applicable").map(({ cell }) => cell)).toEqual([
      ...left,
      "partial_failure",
      "compensation_limits",
    ]);
  },
);
