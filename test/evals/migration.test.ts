import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { people } from "../../examples/refunds/people.ts";
import { readMigration, rollBack } from "../../src/evals/migration/stages.ts";
import { readTrials, type TrialCounts } from "../../src/evals/migration/trials.ts";
import {
  beginShadow,
  capability,
  giveShare,
  type Habit,
  newModel,
  oldModel,
  openMigrationHouse,
  tenant,
} from "./migration-house.ts";

/** Other files share the server, and rows of migrations are read anew once a second. */
const patience = { timeout: 60_000, interval: 50 };
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let house: Awaited<ReturnType<typeof openMigrationHouse>>;
let id: string;
beforeAll(async () => {
  house = await openMigrationHouse();
});
afterAll(() => house?.close());
afterEach(() => rollBack(house.adminUrl, { tenant, id }).catch(() => {}));

const { agent } = people;
const refund = (order = "ord-1002") => house.decide(agent, capability, { text: `Please refund ${order}, it arrived damaged.` });
const same: Habit = (reply) => reply;
/** The id of the policy's passage without what kind of thing it is; all else, the prose too, is as before. */
const barePolicy: Habit = (reply) => reply.replace('"passage:', '"');
/** Numbers of lines as texts, which the schema does not take. */
const linesAsTexts: Habit = (reply) => reply.replace(/"lines":\[(\d+)\]/, '"lines":["$1"]');
const saysNo: Habit = (reply) => reply.replace('"eligible":true', '"eligible":false');
/** It gives no reply at all. */
const isDown: Habit = () => {
  throw new Error("the new model is down");
};

/** A shadow of the new model with a habit. */
async function shadow(habit: Habit, bounds?: Parameters<typeof beginShadow>[1]): Promise<void> {
  house.takeUp(habit);
  id = await beginShadow(house.adminUrl, bounds);
}

/** Asks until there are so many trials of the stage: the process learns of a stage within a second. */
async function trialsOf(of: TrialCounts["stage"], least = 1): Promise<TrialCounts> {
  return vi.waitFor(async () => {
    await refund();
    const counts = (await readTrials(house.adminUrl, { tenant, id })).find((one) => one.stage === of);
    if (counts === undefined || counts.trials < least) throw new Error(`there are ${counts?.trials ?? 0} trials`);
    return counts;
  }, patience);
}
const trialCount = async () => (await readTrials(house.adminUrl, { tenant, id })).reduce((sum, { trials }) => sum + trials, 0);
const migration = () => readMigration(house.adminUrl, { tenant, capability });
/** What the trials of a share were counted to as they were recorded. */
const counted = async () =>
  (
    await house.admin.query(
      "select share_trials, share_broken, share_failed, share_disagreed from countersign.model_migration where id = $1",
      [id],
    )
  ).rows[0];
const count = async (table: string) => Number((await house.admin.query(`select count(*) from ${table}`)).rows[0]?.count);

describe("a migration of refunds to a model that differs in one argument's shape", () => {
  it.each([
    ["an id of another form", barePolicy, "form", "decision/policy"],
    ["a list of texts", linesAsTexts, "schema", "reply"],
  ] as const)("is caught by its contract and not by its prose: %s", async (_what, habit, kind, path) => {
    await shadow(habit);
    const counts = await trialsOf("shadow");
    expect(counts.broken).toBe(counts.trials);
    expect(counts.differences).toContainEqual({ kind, path, count: counts.trials });
    // Of what fits the schema the prose is word for word the same.
    if (kind === "form") expect(counts.prosePpm).toBe(1_000_000);
  });

  it("shows nothing of the kind where the second model replies as the first does", async () => {
    await shadow(same);
    const counts = await trialsOf("shadow", 2);
    expect(counts).toMatchObject({ broken: 0, disagreed: 0, newFailed: 0, prosePpm: 1_000_000, differences: [] });
  });
});

describe("shadow", () => {
  it("applies nothing and leaves no row that anybody could sign or a worker could take up", async () => {
    await shadow(same);
    await trialsOf("shadow");
    const tables = ["intent", "entry", "payload", "waiting", "spend", "notice", "operation", "approval"].map(
      (name) => `countersign.${name}`,
    );
    const counts = async () => Promise.all([...tables, "shop.refund"].map(count));
    const known = (await readTrials(house.adminUrl, { tenant, id }))[0]?.trials ?? 0;
    const before = await counts();
    const view = await refund();
    await vi.waitFor(async () => expect((await readTrials(house.adminUrl, { tenant, id }))[0]?.trials).toBe(known + 1), patience);
    expect(view).toMatchObject({ model: oldModel, state: "waiting" });
    for (let round = 0; round < 3; round += 1) await house.worker.runOnce();
    // One request, one decision with one call of the old model: what the new one proposed stands nowhere.
    const added = (await counts()).map((now, place) => now - (before[place] ?? 0));
    expect(added.slice(0, 5)).toEqual([1, 1, 1, 1, 1]);
    expect(added.slice(6)).toEqual([0, 0, 0]);
    const { rows } = await house.admin.query(
      "select (select string_agg(body, '') from countersign.entry) || (select string_agg(model, '') from countersign.spend) as all",
    );
    expect(rows[0]?.all).toContain(oldModel);
    expect(rows[0]?.all).not.toContain(newModel);
  });

  it("has all its trials counted, however many they are, and every break of theirs", async () => {
    id = await beginShadow(house.adminUrl);
    await house.admin.query(
      `insert into countersign.model_trial (tenant, migration, decision_id, stage, differences, breaks, old_failed, new_failed, agrees, prose_ppm,
         old_figures, new_figures)
       select $1, $2, gen_random_uuid(), 'shadow', case when n <= 3 then $3 else '[]' end, (n <= 3)::int, n = 4, n <= 5 and n > 3, n > 6, 500000, $4, $4
       from generate_series(1, 10050) as n`,
      [tenant, id, JSON.stringify([{ kind: "form", path: "decision/policy" }]), JSON.stringify({ ms: 5 })],
    );
    const [counts] = await readTrials(house.adminUrl, { tenant, id });
    expect(counts).toMatchObject({ stage: "shadow", trials: 10_050, broken: 3, oldFailed: 1, newFailed: 1, disagreed: 4 });
    expect(counts).toMatchObject({ prosePpm: 500_000, differences: [{ kind: "form", path: "decision/policy", count: 3 }] });
    expect([counts?.old.length, counts?.new.length, counts?.old[0]]).toEqual([10_000, 10_000, { ms: 5 }]);
  });

  it("harms nobody where the second model is down", async () => {
    await shadow(isDown);
    const counts = await trialsOf("shadow");
    expect(counts.newFailed).toBe(counts.trials);
    expect(await refund()).toMatchObject({ model: oldModel, label: "refund", state: "waiting" });
    expect((await migration()).stage).toBe("shadow");
  });
});

describe("a canary by share", () => {
  it("has the new model decide its share, by a signature for this share and no other", async () => {
    await shadow(same);
    await trialsOf("shadow");
    await giveShare(house.adminUrl, { id, sharePpm: 1_000_000, signedPpm: 10_000 });
    // Once the process knows of the row, which it does not go by, requests are tried no more either.
    await vi.waitFor(async () => {
      const known = await trialCount();
      for (let request = 0; request < 3; request += 1) expect((await refund()).model).toBe(oldModel);
      expect(await trialCount()).toBe(known);
    }, patience);
    expect((await refund()).model).toBe(oldModel);
    await giveShare(house.adminUrl, { id, sharePpm: 1_000_000 });
    await expect.poll(async () => (await refund()).model, patience).toBe(newModel);
    expect(await trialsOf("canary_share", 2)).toMatchObject({ broken: 0, disagreed: 0 });
    expect((await migration()).stage).toBe("canary_share");
  });

  it("counts its trials as they are recorded, each once, and anew for another share", async () => {
    await shadow(same);
    await trialsOf("shadow");
    expect(await counted()).toMatchObject({ share_trials: 0 });
    await giveShare(house.adminUrl, { id, sharePpm: 1_000_000 });
    const { trials } = await trialsOf("canary_share", 2);
    expect((await counted()).share_trials).toBeGreaterThanOrEqual(trials);
    await giveShare(house.adminUrl, { id, sharePpm: 0 });
    const record = (own: {
      decision: string;
      breaks?: number;
      oldFailed?: boolean;
      newFailed?: boolean;
      agrees?: boolean;
      of?: string;
    }) => {
      const { decision, breaks = 0, oldFailed = false, newFailed = false, agrees = true, of = "canary_share" } = own;
      const values = [tenant, id, decision, of, breaks, oldFailed, newFailed, agrees];
      return house.admin.query(
        "select countersign.record_model_trial($1, $2, $3, $4, '[]', $5, $6, $7, $8, 0, '{}', '{}') as stage",
        values,
      );
    };
    const [one, two, three, four] = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string];
    await record({ decision: one, newFailed: true, agrees: false });
    await record({ decision: one, newFailed: true, agrees: false });
    await record({ decision: two, agrees: false });
    await record({ decision: three, oldFailed: true, newFailed: true });
    // One that was begun in shadow and comes late is none of the share.
    await record({ decision: four, of: "shadow", breaks: 1 });
    expect(await counted()).toEqual({ share_trials: 3, share_broken: 0, share_failed: 1, share_disagreed: 1 });
    const last = await record({ decision: randomUUID(), breaks: 2 });
    expect(last.rows).toEqual([{ stage: "rolled_back" }]);
    expect(await counted()).toEqual({ share_trials: 4, share_broken: 1, share_failed: 1, share_disagreed: 1 });
    expect(await migration()).toMatchObject({ stage: "rolled_back", rolledBackBy: "contract" });
  });

  it("never lets pass alone what the new model decided, though a slice is open", async () => {
    await house.openSlice(people.owner, { capability, slice: "small", thresholdPpm: 850_000 });
    await expect.poll(async () => (await refund("ord-1012")).route, patience).toBe("auto");
    await shadow(same);
    await giveShare(house.adminUrl, { id, sharePpm: 1_000_000 });
    await expect.poll(async () => (await refund("ord-1013")).model, patience).toBe(newModel);
    expect(await refund("ord-1014")).toMatchObject({ model: newModel, route: expect.stringMatching(/^hitl/) });
  });

  it("rolls back by itself at the first contract that breaks, and the old model decides again", async () => {
    await shadow(barePolicy);
    await giveShare(house.adminUrl, { id, sharePpm: 1_000_000 });
    await trialsOf("canary_share");
    expect(await migration()).toMatchObject({ stage: "rolled_back", rolledBackBy: "contract" });
    await expect.poll(async () => (await refund()).model, patience).toBe(oldModel);
  });

  it.each([
    ["failures", isDown, { leastTrials: 3, mostFailedPpm: 100_000, mostDisagreePpm: 1_000_000 }],
    ["disagreement", saysNo, { leastTrials: 3, mostFailedPpm: 1_000_000, mostDisagreePpm: 100_000 }],
  ] as const)("rolls back by itself when %s pass their bound, not before there are enough trials", async (why, habit, bounds) => {
    await shadow(habit, { bounds });
    await giveShare(house.adminUrl, { id, sharePpm: 1_000_000 });
    const first = await trialsOf("canary_share");
    if (first.trials < 3) expect((await migration()).stage).toBe("canary_share");
    await trialsOf("canary_share", 3);
    expect(await migration()).toMatchObject({ stage: "rolled_back", rolledBackBy: why });
    expect((await counted()).share_trials).toBeGreaterThanOrEqual(3);
    // Whoever asked meanwhile got an answer all the same: the old model stands behind the new one.
    expect(await refund()).toMatchObject({ model: oldModel, label: "refund" });
  });
});
