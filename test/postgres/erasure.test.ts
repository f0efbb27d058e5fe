import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openErasures } from "../../src/ledger/erasure/erasures.ts";
import { listErasures, releaseHold, setHold } from "../../src/ledger/erasure/manage-erasure.ts";
import { setRetention } from "../../src/ledger/erasure/manage-retention.ts";
import type { DeclaredRetention } from "../../src/ledger/erasure/rules.ts";
import type { Tx } from "../../src/store/database.ts";
import { House, people } from "./acting/house.ts";
import { dayMs, Erasing, words } from "./erasing.ts";

// On a busy machine a round takes its time.
vi.setConfig({ testTimeout: 90_000 });
// What is erased: when, by whom, what of it, and what the ledger says then.
let house: House;
let erasing: Erasing;
let start = 0;
beforeAll(async () => {
  house = await House.build();
  erasing = new Erasing(house);
});
afterAll(() => house?.close());
beforeEach(async () => {
  await erasing.begin();
  start = erasing.start;
});

const { ada, oda } = people;
const endActing =
  "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'acting' and datname = current_database()";
const asked: Erasing["asked"] = (asking) => erasing.asked(asking);
const erasures = (declared?: DeclaredRetention) => erasing.erasures(declared);
const story: Erasing["story"] = (decisionId) => erasing.story(decisionId);
const bodiesOf = async (decisionId: string) => Object.keys((await story(decisionId))?.outcome.bodies ?? {});
const verified: Erasing["verified"] = () => erasing.verified();
const request: Erasing["request"] = (of) => erasing.request(of);

describe("retention", () => {
  it("ends inputs after 30 days and nothing else, and the ledger says so and holds", async () => {
    const [old, young] = [await asked({ daysAgo: 31 }), await asked({ daysAgo: 29 })];
    const before = await verified();
    expect(await erasures().endOld()).toBe(1);
    expect(await bodiesOf(old)).toEqual(["checks", "proposal", "trace"]);
    expect(await bodiesOf(young)).toContain("inputs");
    expect((await story(old))?.following).toMatchObject([
      { kind: "erased", writer: "acting", body: { part: "inputs", why: "retention", bodies: ["attributes", "inputs"] } },
    ]);
    expect(await erasures().endOld()).toBe(0);
    expect(await verified()).toMatchObject({ broken: null, erasedPayloads: 0, erasures: before.erasures + 1 });
    house.aheadMs = start + 1.1 * dayMs;
    expect(await erasures().endOld()).toBe(1);
    expect(await bodiesOf(young)).toEqual(["checks", "proposal", "trace"]);
  });

  it("keeps to what a capability says, and to what the tenant says before that", async () => {
    const id = await asked({ daysAgo: 5 });
    const capability = house.sample.project.capabilities[0]?.name ?? "";
    expect(await erasures(new Map([[capability, { inputsDays: 6 }]])).endOld()).toBe(0);
    expect(await erasures(new Map([[capability, { inputsDays: 4 }]])).endOld()).toBe(1);
    expect((await story(id))?.outcome).toMatchObject({ isErased: false });
    await setRetention(house.store.adminUrl, { tenant: "acme", capability: "*", payloadDays: 4 });
    expect(await erasures(new Map([[capability, { payloadDays: 100 }]])).endOld()).toBeGreaterThan(0);
    expect((await story(id))?.outcome).toMatchObject({ isErased: true, bodies: {} });
    expect(await verified()).toMatchObject({ broken: null });
  });

  it("puts off what has more days than the fewest, and ends it in its time", async () => {
    const id = await asked({ daysAgo: 3 });
    const capability = house.sample.project.capabilities[0]?.name ?? "";
    const declared = new Map([
      ["another", { inputsDays: 1 }],
      [capability, { inputsDays: 10 }],
    ]);
    expect(await erasures(declared).endOld()).toBe(0);
    expect(await erasures(declared).carryOut()).toBe(0);
    house.aheadMs = start + 7.1 * dayMs;
    expect(await erasures(declared).carryOut()).toBe(1);
    expect(await bodiesOf(id)).not.toContain("inputs");
  });

  it("does each of many once, whoever runs beside it, and goes on where one was killed", async () => {
    const ids = await erasing.askedOften(130, { daysAgo: 40 });
    // One whose connections are ended in the second group of inputs leaves the first done and nothing of the second.
    let groups = 0;
    const storeTime = async (tx: Tx) => {
      groups += 1;
      if (groups === 3) await house.admin.query(endActing);
      return house.storeTime(tx);
    };
    const parts = { database: house.acting, keys: house.keys, ids: house.ids, storeTime, declared: new Map() };
    await openErasures({ ...parts, onError: () => {} }).endOld();
    const done = "select count(*)::int as n from countersign.entry where kind = 'erased' and decision_id = any ($1)";
    expect((await house.admin.query(done, [ids])).rows).toEqual([{ n: 100 }]);
    const counts = await Promise.all([erasures().endOld(), erasures().endOld(), erasures().endOld()]);
    const rest = await erasures().endOld();
    const { rows } = await house.admin.query(
      "select count(*)::int as n from countersign.entry where kind = 'erased' and decision_id = any ($1) group by decision_id",
      [ids],
    );
    expect(rows).toEqual(ids.map(() => ({ n: 1 })));
    expect(counts.reduce((sum, count) => sum + count, rest)).toBe(30);
    expect(await verified()).toMatchObject({ broken: null });
  });
});

describe("a request", () => {
  it("erases all of a decision, and every view says so", async () => {
    const decisionId = await asked();
    await request({ decisionId });
    expect(await house.worker().runOnce()).toMatchObject({ erased: 1 });
    const told = await house.desk().explanation({ principal: oda, decisionId });
    expect(told.entries[0]?.body).toMatchObject({ kind: "decided", erased: true });
    expect(told.entries[1]?.body).toMatchObject({ kind: "erased", part: "payload", bodies: { reason: "asked in letter 12" } });
    expect(JSON.stringify(told)).not.toContain(words);
    expect(await listErasures(house.store.adminUrl, "acme")).toEqual({ waiting: [], more: 0 });
    expect(await verified()).toMatchObject({ broken: null });
  });

  it("waits while an operation on it may still need it, and while it is held", async () => {
    const decisionId = await house.decide({ changes: [house.add("erased", words)] });
    await house.desk().approve({ principal: ada, decisionId });
    await request({ decisionId });
    expect(await erasures().carryOut()).toBe(0);
    expect(await listErasures(house.store.adminUrl, "acme")).toMatchObject({ waiting: [{ decisionId, waitsFor: "operation" }] });
    const worker = house.worker();
    await expect
      .poll(
        async () => {
          await worker.runOnce();
          return house.states(decisionId);
        },
        { timeout: 60_000 },
      )
      .toEqual(["complete"]);
    const hold = { tenant: "acme", scope: "person", name: "erin" } as const;
    await setHold(house.store.adminUrl, { ...hold, reason: "case 7" });
    house.aheadMs = start + 2 * 3_600_000;
    expect(await erasures().carryOut()).toBe(0);
    expect(await listErasures(house.store.adminUrl, "acme")).toMatchObject({ waiting: [{ decisionId, waitsFor: "hold" }] });
    await releaseHold(house.store.adminUrl, hold);
    expect(await erasures().carryOut()).toBe(1);
    const left = (await story(decisionId))?.following.filter(({ bodies }) => Object.keys(bodies).length > 0);
    expect(left?.map(({ kind }) => kind)).toEqual(["erased"]);
    expect(await verified()).toMatchObject({ broken: null });
    expect(await house.tickets("erased")).toMatchObject([{ note: words }]);
  });

  it("erases a person: what they asked for, what was asked for them, their memory", async () => {
    const [theirs, others] = [await asked({ onBehalfOf: "leaver" }), await asked({ onBehalfOf: "stayer" })];
    await erasing.remember(["leaver", "stayer"], others);
    await request({ person: "leaver" });
    expect(await erasures().carryOut()).toBe(1);
    expect([(await story(theirs))?.outcome.isErased, (await story(others))?.outcome.isErased]).toEqual([true, false]);
    expect(await erasing.remembered()).toEqual(["stayer"]);
    expect(await verified()).toMatchObject({ broken: null });
  });

  it("leaves a payload alone that does not open, rather than lose it to a wrong key", async () => {
    const id = await asked({ daysAgo: 50 });
    await house.admin.query(
      "update countersign.payload set body = 'x' where entry_id = (select id from countersign.entry where decision_id = $1 and kind = 'decided')",
      [id],
    );
    await erasures().endOld();
    expect(await listErasures(house.store.adminUrl, "acme")).toMatchObject({
      waiting: [{ decisionId: id, waitsFor: "unreadable" }],
    });
    expect(await verified()).toMatchObject({ broken: { fault: "payload_altered" } });
  });
});

describe("a payload that is shortened", () => {
  it("is refused by the database without an entry that says so, and found by the check where the owner did it", async () => {
    const decisionId = await asked();
    const entryId = (await story(decisionId))?.outcome.id ?? "";
    const bare = house.keys.encrypt({ tenant: "acme", entryId, bodies: [] });
    await expect(
      house.acting.inTenant("acme", (tx) =>
        tx.updateTable("payload").set({ body: bare }).where("entry_id", "=", entryId).where("tenant", "=", "acme").execute(),
      ),
    ).rejects.toMatchObject({ code: "42501" });
    const faults = (await verified()).faults;
    await house.admin.query("update countersign.payload set body = $1 where entry_id = $2", [bare, entryId]);
    expect((await verified()).faults).toBe(faults + 1);
  });
});
