import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertOperations } from "../../src/act/operations.ts";
import { House, people } from "./acting/house.ts";
import { countScans } from "./acting/scans.ts";

// A worker's cost follows what is to be done, not what was ever done: over a book of many rows it reads by index alone.
let house: House;
const rows = 20_000;
const ids = () => [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const;
beforeAll(async () => {
  house = await House.build();
  await house.admin.query(`
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
  // Seals for the rows above, so that the sealer has no news among them; then the planner learns how many there are.
  await house.worker().runOnce();
  await house.admin.query("analyze countersign.entry, countersign.approval, countersign.operation, countersign.seal");
});
afterAll(() => house?.close());

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

  it("a key that was freed before gets its next generation from an index", async () => {
    const { rows: freed } = await house.admin.query<{ key: string }>(
      "select key from countersign.operation where state = 'refused' limit 1",
    );
    const { database, scans } = countScans(house.acting);
    const key = freed[0]?.key ?? "";
    const [id, entryId, decisionId, approvalId] = ids();
    const at = { leaseUntil: 0, deadlineAt: 0, lastSendAt: 0 };
    const about = { paramsDigest: "x", decisionId, effectIndex: 0, approvalId, secondApprovalId: null, lastEntryId: entryId };
    const operation = { id, effect: "add_ticket", key, ...about, ...at };
    const begun = await database.inTenant("acme", (tx) => insertOperations(tx, "acme", [operation]));
    expect(begun).toEqual(new Map([[id, 2]]));
    expect(scans).toEqual([{ table: "operation", sequential: 0, rows: expect.any(Number) }]);
    expect(scans[0]?.rows).toBeLessThan(6);
  });
});
