import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeApprovals, lockNextApprovals, lockOpenApprovals } from "../../src/act/approvals.ts";
import { insertOperations, moveOperations, type NewOperation } from "../../src/act/operations.ts";
import { tenantsWithWork } from "../../src/act/tenants-with-work.ts";
import type { Tx } from "../../src/store/database.ts";
import { House, people } from "./acting/house.ts";
import { countScans } from "./acting/scans.ts";

// A worker's cost follows what is to be done, not what was ever done: over a book of many rows it reads by index alone.
let house: House;
const rows = 20_000;
beforeAll(async () => {
  house = await House.build();
  await grow(house);
  // Seals for the rows above, so that the sealer has no news among them; then the planner learns how many there are.
  await house.worker().runOnce();
  await house.admin.query("analyze countersign.entry, countersign.approval, countersign.operation, countersign.seal");
});
afterAll(() => house?.close());

/** Leaves many rows of what is over. */
async function grow({ admin }: Pick<House, "admin">): Promise<void> {
  await admin.query(`
    insert into countersign.entry (tenant, id, kind, decision_id, ts, body, hash, writer)
    select 'acme', gen_random_uuid(), 'observed', gen_random_uuid(), 0, '{"effectIndex":0,"verdict":"complete"}',
      sha256('{"effectIndex":0,"verdict":"complete"}'), 'acting'
    from generate_series(1, ${rows});
    insert into countersign.approval (tenant, id, decision_id, effect_index, granted_by, approver, body, signature, entry_id, state, writer)
    select 'acme', gen_random_uuid(), gen_random_uuid(), 0, 'person', 'ada', '{}', 'x', gen_random_uuid(), 'consumed', 'desk'
    from generate_series(1, ${rows});
    insert into countersign.operation (tenant, id, effect, key, params_digest, decision_id, effect_index, approval_id, state, lease_until,
      due_at, deadline_at, last_entry_id, writer)
    select 'acme', gen_random_uuid(), 'add_ticket', 'past:' || n, 'x', gen_random_uuid(), 0, gen_random_uuid(),
      case when n % 3 = 0 then 'refused' else 'complete' end, now(), now(), now(), gen_random_uuid(), 'acting'
    from generate_series(1, ${rows}) n`);
}

/** What a group reads and writes, for one operation. */
async function group(tx: Tx): Promise<void> {
  const of = { tx, tenant: "acme", decisionIds: [randomUUID()] };
  await tenantsWithWork(tx, { storeTime: async () => Date.now(), busy: [] });
  await lockNextApprovals(tx, { tenant: "acme", after: null, butOf: [randomUUID()], limit: 10 });
  await lockOpenApprovals(tx, { tenant: "acme", ids: [randomUUID()] });
  for (const name of ["entries_of", "approvals_of", "operations_of"])
    await sql`select from ${sql.raw(`countersign.${name}`)}(${of.tenant}, ${of.decisionIds}::uuid[])`.execute(tx);
  const operation = begun(`new:${randomUUID()}`);
  await insertOperations(tx, "acme", [operation]);
  await closeApprovals(tx, "acme", [{ id: randomUUID(), state: "consumed" }]);
  const moved = { state: "refused", leaseUntil: 0, dueAt: 0 } as const;
  expect(await moveOperations(tx, "acme", [{ id: operation.id, fence: 1, ...moved }])).toEqual(new Set([operation.id]));
}

function begun(key: string): NewOperation {
  const [id, lastEntryId, decisionId, approvalId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const;
  const about = { paramsDigest: "x", decisionId, effectIndex: 0, approvalId, secondApprovalId: null, lastEntryId };
  return { id, effect: "add_ticket", key, ...about, leaseUntil: 0, deadlineAt: 0, lastSendAt: 0 };
}

describe("over a large book", () => {
  it("a round with two effects in order walks through no table and reads few rows", async () => {
    const decisionId = await house.decide({ changes: [house.add("plan"), house.closing("plan")] });
    await house.desk().approve({ principal: people.ada, decisionId });
    const { database, scans } = countScans(house.acting);
    expect(await house.worker({ database }).runOnce()).toMatchObject({ reserved: 2 });
    expect(await house.tickets("plan")).toMatchObject([{ status: "closed" }]);
    const large = scans.filter(({ table }) => ["entry", "approval", "operation"].includes(table));
    expect(large.map(({ table }) => table)).toEqual(expect.arrayContaining(["entry", "approval", "operation"]));
    expect(large.filter(({ sequential }) => sequential > 0)).toEqual([]);
    expect(Math.max(...large.map((scan) => scan.rows))).toBeLessThan(200);
  });

  it("which grew after a worker's first round, its groups read as few rows, by the plans that they keep", async () => {
    const young = await House.build();
    try {
      const { database, scans } = countScans(young.acting);
      await database.inTenant("acme", group);
      // No table is analysed, so nothing makes the plans anew.
      await grow(young);
      scans.length = 0;
      await database.inTenant("acme", group);
      expect(scans.map(({ table }) => table)).toEqual(expect.arrayContaining(["entry", "approval", "operation"]));
      expect(scans.filter(({ rows: read }) => read > 20)).toEqual([]);
    } finally {
      await young.close();
    }
  });

  it("a key that was freed before gets its next generation from an index", async () => {
    const { rows: freed } = await house.admin.query<{ key: string }>(
      "select key from countersign.operation where state = 'refused' limit 1",
    );
    const { database, scans } = countScans(house.acting);
    const operation = begun(freed[0]?.key ?? "");
    const made = await database.inTenant("acme", (tx) => insertOperations(tx, "acme", [operation]));
    expect(made).toEqual(new Map([[operation.id, 2]]));
    expect(scans).toEqual([{ table: "operation", sequential: 0, rows: expect.any(Number) }]);
    expect(scans[0]?.rows).toBeLessThan(6);
  });
});
