import { generateKeyPairSync } from "node:crypto";
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { judgeModel } from "../../examples/refunds/model.ts";
import type { Comparison } from "../../src/evals/migration/compare-runs.ts";
import { summaryOf } from "../../src/evals/migration/figures.ts";
import { keepRun } from "../../src/evals/migration/stages.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";
import { runJson } from "./command.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
let database: MigratedDatabase;
let owner: pg.Client;
let empty: string;
const key = generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
beforeAll(async () => {
  database = await createMigratedDatabase();
  owner = new pg.Client({ connectionString: database.adminUrl });
  await owner.connect();
  empty = await mkdtemp(join(tmpdir(), "countersign-migrate-"));
});
// A migration goes on until somebody ends it, whatever became of the test.
afterEach(() =>
  owner.query("update countersign.model_migration set stage = 'rolled_back', rolled_back_by = 'person' where stage = 'planned'"),
);
afterAll(async () => {
  await owner?.end();
  await database?.drop();
  await rm(empty, { recursive: true, force: true });
});

const env = () => ({ DATABASE_URL: database.adminUrl, COUNTERSIGN_PRIVACY_KEY: key });
const stepOf = (project: string, name: string, ...more: readonly string[]) =>
  runJson(["migrate", name, "refund_order", "--tenant", "acme", "--project", project, ...more], { env: env() });
const step = (name: string, ...more: readonly string[]) => stepOf("examples/refunds", name, ...more);
const to = "scripted/refunds-2027-01-15";
const stage = async () => (await owner.query("select stage, signed from countersign.model_migration")).rows[0];

it("a migration goes on step by step, and no step is open before what comes before it holds", async () => {
  expect((await step("report")).json.error?.code).toBe("not_found");
  expect((await step("plan", "--to", "scripted/refunds-latest")).json.error?.code).toBe("definition_invalid");
  expect((await step("plan", "--to", "no-model")).json.error?.code).toBe("bad_request");
  expect((await step("plan", "--to", to, "--effort", "hihg")).json.error?.code).toBe("bad_request");
  // What decides nothing is not migrated by walks beside decisions.
  const judge = `${judgeModel.provider}/${judgeModel.id}`;
  expect((await step("plan", "--to", to, "--from", judge)).json.error).toMatchObject({
    code: "bad_request",
    message: expect.stringContaining(`is decided by \`scripted/refunds-2026-11-30\`, not by \`${judge}\``),
  });
  const planned = await step("plan", "--to", to, "--least-trials", "2");
  expect(planned).toMatchObject({
    code: 0,
    json: { migration: { oldModel: "scripted/refunds-2026-11-30", newModel: to, stage: "planned" } },
  });
  expect((await step("plan", "--to", to)).json.error?.code).toBe("migration_refused");
  // Not before it was run over the eval cases, and not against what that found.
  expect((await step("shadow")).json.error?.message).toMatch(/not run over the eval cases/);
  const { rows } = await owner.query<{ id: string }>("select id from countersign.model_migration");
  const id = rows[0]?.id ?? "";
  const comparison = {
    ...{ effort: null, pairs: 3, failed: 0, differences: [], agreePpm: 1_000_000, prosePpm: 900_000 },
    scores: { cases: 3, oldPassed: 3, newPassed: 3, onlyOld: [], onlyNew: [], chance: 1, unsafe: [] },
    ...{ old: summaryOf([]), new: summaryOf([]) },
  };
  const keep = (broken: number, unsafe: readonly string[] = []) => {
    const report = JSON.stringify([{ ...comparison, broken, scores: { ...comparison.scores, unsafe } }]);
    return keepRun(database.adminUrl, { tenant: "acme", id, usual: "{}", report });
  };
  const tried = (of: string, haveFailed: boolean) =>
    owner.query(
      `insert into countersign.model_trial (tenant, migration, decision_id, stage, differences, breaks, old_failed, new_failed, agrees, prose_ppm, old_figures, new_figures)
       select 'acme', $1, gen_random_uuid(), $2, '[]', 0, $3, $3, true, 1000000, '{"ms":1}', '{"ms":2}' from generate_series(1, 2)`,
      [id, of, haveFailed],
    );
  await keep(1);
  expect((await step("shadow")).json.error?.message).toMatch(/contracts break, in 1 of 3 pairs/);
  await keep(0, ["a-safety-case"]);
  expect((await step("shadow")).json.error?.message).toMatch(/1 safety cases do not pass: `a-safety-case`/);
  await keep(0);
  expect((await step("shadow", "--share", "2")).json.error?.code).toBe("bad_request");
  expect(await step("shadow", "--share", "0.5")).toMatchObject({
    code: 0,
    json: { migration: { stage: "shadow", sharePpm: 500_000 } },
  });
  const reason = ["--reason", "the old model ends in January"];
  expect((await step("canary", ...reason)).json.error?.message).toMatch(/0 of 2 trials/);
  await tried("shadow", false);
  expect((await step("canary", "--reason", "short")).json.error?.code).toBe("bad_request");
  expect(await step("canary", "--share", "0.05", "--by", "ada", ...reason)).toMatchObject({
    code: 0,
    json: { migration: { stage: "canary_share", sharePpm: 50_000 } },
  });
  expect(JSON.parse((await stage()).signed)).toMatchObject({
    by: "ada",
    reason: "the old model ends in January",
    sharePpm: 50_000,
    migration: id,
  });
  expect((await step("retire")).json.error?.message).toMatch(/0 of 2 trials/);
  // Where both fail it is no failure of the new one. What was tried under a smaller share says nothing of a greater one.
  await tried("canary_share", true);
  expect((await step("report")).json).toMatchObject({
    against: [],
    trials: [{}, { stage: "canary_share", trials: 2, newFailed: 0 }],
  });
  expect((await step("canary", "--share", "0.2", "--by", "ada", ...reason)).code).toBe(0);
  expect((await step("retire")).json.error?.message).toMatch(/0 of 2 trials/);
  expect(await step("roll-back")).toMatchObject({
    code: 0,
    json: { migration: { stage: "rolled_back", rolledBackBy: "person" } },
  });
  expect((await step("canary", ...reason)).json.error?.code).toBe("migration_refused");
});

it("the run plays the planned effort, whichever others are named, and exits with 1 where something stands against going on", {
  timeout: 600_000,
}, async () => {
  expect((await step("plan", "--to", to, "--effort", "high")).code).toBe(0);
  const few = ["--repeats", "1", "--directory", empty];
  expect((await step("run", ...few, "--efforts", "hihg")).json.error?.code).toBe("bad_request");
  const ended = await step("run", ...few, "--efforts", "low");
  const { comparisons, against } = ended.json as { comparisons: readonly Comparison[]; against: readonly string[] };
  expect(comparisons.map(({ effort }) => effort)).toEqual(["high", "low"]);
  expect(comparisons.every(({ pairs, scores }) => pairs > 10 && scores.cases > 10)).toBe(true);
  expect(ended.code).toBe(against.length === 0 ? 0 : 1);
});

/** The refunds in a folder of their own, with a second script, whose replies name the policy without what kind of thing it is. */
async function putRefundsWithNext(home: string): Promise<string> {
  await cp("examples", join(home, "examples"), { recursive: true });
  await mkdir(join(home, "node_modules"));
  await symlink(process.cwd(), join(home, "node_modules", "countersign"));
  for (const name of ["pg", "zod"]) await symlink(join(process.cwd(), "node_modules", name), join(home, "node_modules", name));
  const folder = join(home, "examples", "refunds");
  await rename(join(folder, "decide.ts"), join(folder, "shop-decide.ts"));
  await writeFile(
    join(folder, "decide.ts"),
    `import { defineDeciding } from "countersign/decide";
import { scriptedProvider } from "countersign/testing";
import { script } from "./script.ts";
import shop from "./shop-decide.ts";
const bare = (reply) => (asked) => (typeof reply === "string" ? reply : reply(asked)).replace('"passage:', '"');
const lines = script.map((line) => ({ ...line, replies: line.replies.map(bare) }));
export default defineDeciding({ ...shop, providers: [...shop.providers, scriptedProvider({ name: "next", lines, boundary: "on" })] });\n`,
  );
  return folder;
}

it("the run exits with 1 where the new model writes an id in another form, and says that of every pair with one", {
  timeout: 600_000,
}, async () => {
  const folder = await putRefundsWithNext(empty);
  expect((await stepOf(folder, "plan", "--to", "next/refunds-2027-01-15")).code).toBe(0);
  const ended = await stepOf(folder, "run", "--repeats", "1", "--directory", empty);
  const [comparison] = (ended.json as { comparisons: readonly Comparison[] }).comparisons;
  const { pairs = 0, broken = 0 } = comparison ?? {};
  expect(broken).toBeGreaterThan(10);
  expect(comparison?.differences).toContainEqual({ kind: "form", path: "decision/policy", count: broken });
  const objection = `contracts break, in ${broken} of ${pairs} pairs`;
  expect(ended).toMatchObject({ code: 1, json: { against: expect.arrayContaining([objection]) } });
  expect((await stepOf(folder, "shadow")).json.error?.message).toContain(objection);
});

it("what is not installed is told, and looking installs nothing", async () => {
  const ended = await runJson(["migrate", "report", "refund_order", "--tenant", "acme", "--directory", join(empty, "nothing")]);
  expect(ended.json.error?.code).toBe("configuration_invalid");
  const look = await runJson(["models", "check", "--project", "examples/refunds", "--directory", join(empty, "nothing")]);
  expect(look).toMatchObject({ code: 0, json: { isGood: true, unread: [] } });
});
