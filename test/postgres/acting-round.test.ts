import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { lockNextApprovals } from "../../src/act/approvals.ts";
import { createSealer } from "../../src/ledger/seal.ts";
import type { Database } from "../../src/store/database.ts";
import { House, people } from "./acting/house.ts";
import type { Point } from "./acting/project.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
  // The first of the tenants has nothing to do: questions that span tenants are asked in its name.
  await house.admin.query("insert into countersign.tenant (id, name) values ('aaa', 'Nobody')");
});
afterAll(() => house?.close());
afterEach(() => {
  house.aheadMs = 0;
});

const { ada, gus } = people;

describe("a round", () => {
  it("looks at what is due in any tenant before it begins anything in another", async () => {
    const due = await house.decide({ changes: [house.add("due")], tenant: "globex" });
    await house.desk().approve({ principal: gus, decisionId: due });
    const broken = async (point: Point) => {
      if (point === "committed") throw new Error("connection lost");
    };
    await house.worker({ at: broken }).runOnce();
    expect(await house.states(due)).toEqual(["unknown"]);
    const fresh = await house.decide({ changes: [house.add("fresh")] });
    await house.desk().approve({ principal: ada, decisionId: fresh });
    house.aheadMs = 1_000;
    const points: Point[] = [];
    await house.worker({ at: async (point) => void points.push(point) }).runOnce();
    expect(points).toEqual(["observing", "before", "arriving", "committed", "observing"]);
    expect([await house.states(due), await house.states(fresh)]).toEqual([["complete"], ["complete"]]);
  });

  it("goes on with the other tenants where the database fails for one", async () => {
    const faults: unknown[] = [];
    /** Every transaction of one tenant ends with a fault of the database, as over a damaged page. */
    const database: Database = {
      ...house.acting,
      inTenant: (tenant, work) =>
        house.acting.inTenant(tenant, async (tx) => {
          if (tenant === "acme") await sql`select 1 / 0`.execute(tx);
          return work(tx);
        }),
    };
    const ours = await house.decide({ changes: [house.add("damaged")] });
    const theirs = await house.decide({ changes: [house.add("sound")], tenant: "globex" });
    await house.desk().approve({ principal: ada, decisionId: ours });
    await house.desk().approve({ principal: gus, decisionId: theirs });
    const worker = house.worker({ database, onError: (thrown) => faults.push(thrown) });
    await worker.runOnce();
    expect(await house.states(theirs)).toEqual(["complete"]);
    expect(await house.states(ours)).toEqual([]);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults).toEqual(faults.map(() => expect.objectContaining({ code: "22012" })));
    // What was not settled while it sealed, it seals in the next round.
    await house.settled();
    await worker.runOnce();
    const { rows } = await house.admin.query(
      "select count(*)::int as unsealed from countersign.entry where tenant = 'globex' and id not in (select entry_id from countersign.seal)",
    );
    expect(rows).toEqual([{ unsealed: 0 }]);
    await house.worker().runOnce();
    expect(await house.states(ours)).toEqual(["complete"]);
  });

  it("takes the next approvals that no other worker is at, but for those of decisions that are left alone", async () => {
    const decide = async (key: string): Promise<string> => {
      const decisionId = await house.decide({ changes: [house.add(key)] });
      await house.desk().approve({ principal: ada, decisionId });
      return decisionId;
    };
    const [first, paused, last] = [await decide("first"), await decide("paused"), await decide("last")];
    const next = { tenant: "acme", after: null, butOf: [paused], limit: 10 };
    const besideFirst = await house.acting.inTenant("acme", async (tx) => {
      const held = await lockNextApprovals(tx, { ...next, limit: 1 });
      expect(held).toMatchObject([{ decision_id: first }]);
      const rest = await house.acting.inTenant("acme", (other) => lockNextApprovals(other, next));
      const after = await house.acting.inTenant("acme", (other) => lockNextApprovals(other, { ...next, after: rest[0] ?? null }));
      return [rest, after];
    });
    expect(besideFirst).toMatchObject([[{ decision_id: last }], []]);
    await house.worker().runOnce();
    expect(await house.states(paused)).toEqual(["complete"]);
  });

  it("of a worker that runs carries on waiting effects soon, though it leaves them alone in between", async () => {
    const decisionId = await house.decide({ changes: [house.add("paced"), house.closing("paced")] });
    await house.desk().approve({ principal: ada, decisionId });
    let isHeld = true;
    const worker = house.worker({
      at: async (point) => {
        if (point === "observing" && isHeld) throw new Error("not readable yet");
      },
    });
    worker.start();
    await expect.poll(() => house.states(decisionId), { timeout: 10_000 }).toEqual(["applied"]);
    isHeld = false;
    await expect.poll(() => house.states(decisionId), { timeout: 10_000 }).toEqual(["complete", "complete"]);
    await worker.stop();
  });
});

describe("the sealer", () => {
  it("goes on with the other tenants where one chain cannot be continued", async () => {
    await house.admin.query("insert into countersign.tenant (id, name) values ('broken', 'Broken')");
    await house.decide({ changes: [house.add("chain")], tenant: "broken" });
    await house.decide({ changes: [house.add("chain")], tenant: "globex" });
    const faults: unknown[] = [];
    const database: Database = {
      ...house.acting,
      inTenant: (tenant, work) =>
        tenant === "broken" ? Promise.reject(new Error("damaged")) : house.acting.inTenant(tenant, work),
    };
    const sealer = createSealer({ database, headKeeper: house.heads, everyMs: 60_000, onError: (thrown) => faults.push(thrown) });
    await sealer.sealAll();
    const unsealed = "select distinct tenant from countersign.entry where id not in (select entry_id from countersign.seal)";
    await expect.poll(async () => (await house.admin.query(unsealed)).rows).toEqual([{ tenant: "broken" }]);
    expect(faults.length).toBeGreaterThan(0);
    await sealer.stop();
  });
});
