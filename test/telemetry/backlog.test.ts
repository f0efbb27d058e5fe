import { afterAll, beforeAll, expect, it } from "vitest";
import { backlogGauges } from "../../src/cli/gauges.ts";
import { readSourceLags } from "../../src/know/ingest/lag.ts";
import { sealTenant } from "../../src/ledger/seal.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { acrossTenants } from "../../src/store/every-tenant.ts";
import { decide, ids, type LedgerFixture, openLedger, patience } from "../postgres/ledger-fixture.ts";

let ledger: LedgerFixture;
let ingesting: Database;
beforeAll(async () => {
  ledger = await openLedger();
  ingesting = openDatabase({ url: ledger.database.urls.ingesting, role: "ingesting", connections: 1 });
});
afterAll(async () => {
  await ingesting?.close();
  await ledger.close();
});

const figure = async (name: string, queue?: string) =>
  (await backlogGauges(ledger.acting)()).find((one) => one.name === name && one.labels["queue"] === queue)?.value;
const headKeeper = { read: async () => null, keep: async () => {} };

it("an entry without a seal is a lag until it is sealed", async () => {
  expect(await figure("countersign.seal.lag")).toBe(0);
  await decide(ledger.journal);
  expect(await figure("countersign.seal.lag")).toBeGreaterThan(0);
  const seal = async () => {
    await sealTenant({ database: ledger.acting, tenant: "acme", headKeeper });
    return figure("countersign.seal.lag");
  };
  await expect.poll(seal, patience).toBe(0);
  await decide(ledger.journal);
  expect(await figure("countersign.seal.lag")).toBeGreaterThan(0);
});

it("queues are counted over all tenants, with how long the oldest is overdue", async () => {
  expect(await figure("countersign.queue.length", "notices")).toBe(0);
  expect(await figure("countersign.queue.age", "notices")).toBe(0);
  const due = [
    ["acme", 90],
    ["globex", 30],
    ["globex", -600],
  ] as const;
  for (const [tenant, seconds] of due)
    await ledger.owner.query(
      `insert into countersign.notice (tenant, id, kind, decision_id, entry_id, to_kind, to_name, due_at)
       values ($1, $2, 'outcome', $2, $2, 'role', 'approver', clock_timestamp() - make_interval(secs => $3))`,
      [tenant, ids.next(), seconds],
    );
  expect(await figure("countersign.queue.length", "notices")).toBe(3);
  const age = (await figure("countersign.queue.age", "notices")) ?? 0;
  expect(age).toBeGreaterThanOrEqual(90);
  expect(age).toBeLessThan(600);
  await ledger.owner.query("insert into countersign.waiting (tenant, decision_id) values ('acme', $1)", [ids.next()]);
  expect(await figure("countersign.queue.length", "reviews")).toBe(1);
});

it("a source is as far behind as the tenant that is furthest; one without a whole run is not told", async () => {
  const put = (tenant: string, name: string, seconds: number | null) =>
    ledger.owner.query(
      `insert into countersign.source (tenant, name, collections, scopes, promise_ms, fresh_as_of)
       values ($1, $2, '{handbook}', '{employee}', 60000, clock_timestamp() - make_interval(secs => $3))`,
      [tenant, name, seconds],
    );
  await put("acme", "handbook", 10);
  await put("globex", "handbook", 100);
  await put("acme", "new", null);
  const lags = (await acrossTenants({ database: ingesting, look: readSourceLags })) ?? [];
  expect(lags.map(({ source }) => source)).toEqual(["handbook"]);
  expect(lags[0]?.behindMs).toBeGreaterThanOrEqual(100_000);
  expect(lags[0]?.behindMs).toBeLessThan(400_000);
});
