import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeTenant, listTenants, setTenantState } from "../../src/identity/manage-tenants.ts";
import { releaseHold, setHold } from "../../src/ledger/erasure/manage-erasure.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { sealTenant } from "../../src/ledger/seal.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { putTestPeople } from "../setup/people.ts";
import { House, people } from "./acting/house.ts";

// A tenant that is suspended, and one that is closed: what still happens in it, and what is left of it.
let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});

const { ada, oda } = people;
const suspend = (tenant = "acme") => setTenantState(house.store.adminUrl, { tenant, state: "suspended" });
const resume = (tenant = "acme") => setTenantState(house.store.adminUrl, { tenant, state: "active" });
const approved = async (name: string) => {
  const decisionId = await house.decide({ changes: [house.add(name, "words of somebody")] });
  await house.desk().approve({ principal: ada, decisionId });
  return decisionId;
};
const untilComplete = (decisionId: string) =>
  expect
    .poll(
      async () => {
        await house.worker().runOnce();
        return house.states(decisionId);
      },
      { timeout: 15_000 },
    )
    .toEqual(["complete"]);

describe("a tenant that is suspended", () => {
  it("has nothing begun and nothing sent, and goes on where it stood once it is let", async () => {
    const decisionId = await approved("suspended");
    await suspend();
    expect(await house.worker().runOnce()).toMatchObject({ reserved: 0, refused: 0 });
    expect(await house.tickets("suspended")).toEqual([]);
    await resume();
    house.aheadMs = 10_000;
    await untilComplete(decisionId);
  });

  it("has nothing sent either where it is suspended right before the send", async () => {
    const decisionId = await approved("right-before");
    await house.worker({ at: async (point) => void (point === "before" && (await suspend())) }).runOnce();
    expect(await house.tickets("right-before")).toEqual([]);
    await resume();
    house.aheadMs = 20_000;
    await untilComplete(decisionId);
  });

  it("has what was sent before observed and ended", async () => {
    const decisionId = await approved("under-way");
    await house.worker({ at: async (point) => void (point === "committed" && (await suspend())) }).runOnce();
    house.aheadMs = 10_000;
    await untilComplete(decisionId);
    expect(await house.tickets("under-way")).toHaveLength(1);
    await resume();
  });

  it("has nothing decided, whatever asks for it, and the others have", async () => {
    const insert = (tenant: string) =>
      house.deciding.inTenant(tenant, async (tx) => {
        const [decision_id, entry_id] = [house.ids.next(), house.ids.next()];
        const row = { tenant, decision_id, entry_id, capability: "tickets", principal: "erin", request_digest: Buffer.alloc(32) };
        await tx
          .insertInto("intent")
          .values({ ...row, lease_until: new Date() })
          .execute();
      });
    await suspend();
    await expect(insert("acme")).rejects.toMatchObject({ code: "42501" });
    await insert("globex");
    await resume();
    await insert("acme");
  });
});

describe("a tenant that is closed", () => {
  it("was suspended, has nothing under way, and is erased but for its ledger, which verifies", async () => {
    const decisionId = await approved("closed");
    await untilComplete(decisionId);
    await putTestPeople(house.store.adminUrl, [{ tenant: "acme", id: "ann", roles: ["owner"], key: "key-of-ann-at-acme" }]);
    expect(JSON.stringify(await house.desk().explanation({ principal: oda, decisionId }))).toContain("words of somebody");
    const close = () => closeTenant(house.store.adminUrl, "acme");
    await expect(close()).rejects.toMatchObject({ code: "in_progress" });
    await suspend();
    // Decisions of the tests above have begun and were never ended, as under a decider that died.
    await expect(close()).rejects.toMatchObject({ code: "in_progress" });
    await house.admin.query("update countersign.intent set ended = true");
    const waiting = await house.decide({ changes: [house.add("never")] });
    // What somebody holds must not be erased, with its tenant neither.
    const hold = { tenant: "acme", scope: "person", name: "erin" } as const;
    await setHold(house.store.adminUrl, { ...hold, reason: "dispute 7" });
    await expect(close()).rejects.toMatchObject({ code: "in_progress", message: expect.stringContaining("held") });
    await releaseHold(house.store.adminUrl, hold);
    const people = await house.admin.query("select count(*)::int as n from countersign.account where tenant = 'acme'");
    const closed = await close();
    expect(closed).toMatchObject({ wasClosed: false, accounts: people.rows[0]?.n, keys: 1 });
    expect(closed.accounts).toBeGreaterThan(1);
    expect(closed.payloads).toBeGreaterThan(3);
    expect(await close()).toMatchObject({ wasClosed: true, payloads: 0 });

    const told = await house.desk().explanation({ principal: oda, decisionId });
    expect(told.decision).toMatchObject({ id: decisionId });
    expect(told.entries[0]?.body).toMatchObject({ kind: "decided", erased: true });
    expect(JSON.stringify(told)).not.toContain("words of somebody");
    expect((await house.desk().decision({ principal: oda, decisionId: waiting })).obstacle).toBe("payload_erased");
    const { rows } = await house.admin.query(
      "select count(*)::int as n from countersign.payload where tenant = 'acme' and body is not null",
    );
    expect(rows).toEqual([{ n: 0 }]);

    // Nothing of it is done any more, and the workers meet no fault over it.
    house.aheadMs = 60_000;
    expect(await house.worker().runOnce()).toMatchObject({ reserved: 0, lapsed: 0 });
    await house.settled();
    await sealTenant({ database: house.acting, tenant: "acme", headKeeper: house.heads });
    const keys = payloadKeys(house.payloadKey, undefined, house.acting);
    const report = await verifyLedger({ database: house.acting, tenant: "acme", headKeeper: house.heads, keys });
    expect(report).toMatchObject({ broken: null, unsealed: { count: 0 }, erasedPayloads: closed.payloads });
  });

  it("never comes back, and leaves the others alone", async () => {
    await expect(resume()).rejects.toMatchObject({ code: "not_found" });
    await expect(house.admin.query("update countersign.tenant set state = 'active' where id = 'acme'")).rejects.toMatchObject({
      code: "CS004",
    });
    await expect(house.admin.query("delete from countersign.tenant where id = 'acme'")).rejects.toMatchObject({ code: "CS001" });
    expect((await listTenants(house.store.adminUrl)).map(({ id, state }) => [id, state])).toEqual([
      ["acme", "closed"],
      ["globex", "active"],
    ]);
  });
});
