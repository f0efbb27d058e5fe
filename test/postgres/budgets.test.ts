import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Budget, MeteredRun } from "../../src/contract/budget.ts";
import type { DecisionRequest } from "../../src/contract/decision.ts";
import { everything } from "../../src/contract/principal.ts";
import { takeBackAllotments } from "../../src/guard/budget/allotments.ts";
import { listBudgets, removeBudget, setBudget } from "../../src/guard/budget/manage-budgets.ts";
import { openMeter } from "../../src/guard/budget/meter.ts";
import { free } from "../../src/guard/budget/prices.ts";
import { usualPurseTimes } from "../../src/guard/budget/purse-state.ts";
import { createJournal } from "../../src/ledger/journal.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { pooledRandom } from "../../src/ledger/random.ts";
import { sweepIntents } from "../../src/ledger/sweep.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

const ids = uuidIds(systemClock);
const month = { id: "all", scope: "tenant", name: "", unit: "micros", period: "month", cap: 1_000 } as const;

let made: MigratedDatabase;
let admin: pg.Client;
let database: Database;
const opened: { stop: () => Promise<void> }[] = [];

beforeAll(async () => {
  made = await createMigratedDatabase();
  admin = new pg.Client({ connectionString: made.adminUrl });
  await admin.connect();
  await admin.query("set search_path = countersign");
  database = openDatabase({ url: made.urls.deciding, role: "deciding" });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.stop()));
});

afterAll(async () => {
  await database?.close();
  await admin?.end();
  await made?.drop();
});

describe("a budget that many runs share", () => {
  it("is never drawn beyond its cap by meters that race for it", async () => {
    const tenant = await tenantWith(month);
    const meters = Array.from({ length: 4 }, () => meterOf());
    const runs = await Promise.all(
      meters.flatMap((meter) => Array.from({ length: 16 }, () => meter.begin(asked(tenant, { costMicros: 50 })))),
    );
    const begun = runs.filter((run) => run.kind === "begun");
    expect(begun).toHaveLength(20);
    expect(runs.find((run) => run.kind === "over_budget")).toMatchObject({
      detail: "budget `all` of 1000 millionths a month does not hold the 50 that this could take",
    });
    expect(await use(tenant)).toEqual({ used: 0, drawn: 1_000 });
    for (const run of begun) run.settle({ micros: 30, tokens: 0, turns: 0 });
    await Promise.all(opened.splice(0).map((one) => one.stop()));
    expect(await use(tenant)).toEqual({ used: 600, drawn: 0 });
  });

  it("gives what runs did not use to those that come later", async () => {
    const tenant = await tenantWith({ ...month, cap: 100 });
    const meter = meterOf();
    for (let turn = 0; turn < 20; turn += 1) settle(await meter.begin(asked(tenant, { costMicros: 60 })), 2);
    expect(await meter.begin(asked(tenant, { costMicros: 61 }))).toMatchObject({ kind: "over_budget" });
    await meter.stop();
    expect(await use(tenant)).toEqual({ used: 40, drawn: 0 });
  });

  it("is for one capability, for each of them, or for a principal, and a run is held by all that are for it", async () => {
    const tenant = await tenantWith(
      { ...month, id: "refunds", scope: "capability", name: "refund", cap: 100 },
      { ...month, id: "each", scope: "principal", name: "*", cap: 250 },
      { ...month, id: "other", scope: "capability", name: "other", cap: 0 },
    );
    const meter = meterOf();
    settle(await meter.begin(asked(tenant, { costMicros: 100 })), 90);
    expect(await meter.begin(asked(tenant, { costMicros: 100 }))).toMatchObject({ detail: expect.stringContaining("`refunds`") });
    settle(await meter.begin({ ...asked(tenant, { costMicros: 60 }), capability: "report" }), 60);
    const more = { ...asked(tenant, { costMicros: 101 }), capability: "report" };
    expect(await meter.begin(more)).toMatchObject({ detail: expect.stringContaining("`each`") });
    expect((await meter.begin({ ...more, principal: "ben" })).kind).toBe("begun");
    expect(await meter.begin({ ...more, capability: "other", principal: "cleo" })).toMatchObject({ kind: "over_budget" });
  });

  it("is for each case of a kind over its whole life, and its steps draw on what the case has left", async () => {
    const tenant = await tenantWith({ ...month, id: "life", scope: "case", name: "replacement", period: "ever", cap: 100 });
    const meter = meterOf();
    const step = (id: string, kind = "replacement") => ({ ...asked(tenant, { costMicros: 60 }), case: { kind, id } });
    settle(await meter.begin(step("case-1")), 50);
    expect(await meter.begin(step("case-1"))).toMatchObject({
      detail: expect.stringMatching(/`life` of 100 millionths does not/),
    });
    settle(await meter.begin(step("case-2")), 50);
    settle(await meter.begin(step("case-1", "other")), 50);
    settle(await meter.begin(asked(tenant, { costMicros: 60 })), 50);
  });

  it("counts tokens and requests where it is a budget of those", async () => {
    const tenant = await tenantWith({ ...month, unit: "tokens", cap: 100 }, { ...month, id: "asks", unit: "turns", cap: 3 });
    const meter = meterOf();
    const run = await meter.begin(asked(tenant, { tokens: 60, turns: 2 }));
    if (run.kind !== "begun") throw new Error(run.detail);
    run.settle({ micros: 0, tokens: 55, turns: 2 });
    expect(await meter.begin(asked(tenant, { tokens: 40, turns: 2 }))).toMatchObject({
      detail: expect.stringContaining("`asks`"),
    });
    await meter.stop();
    expect(await use(tenant)).toEqual({ used: 55, drawn: 0 });
  });

  it("takes back what a dead process had drawn: what its decisions spent, and all that was reserved for those that nobody ended", async () => {
    const tenant = await tenantWith(month);
    const times = { ...usualPurseTimes, leaseMs: 300 };
    // For a process that is gone, no clock goes on: here one that stands far behind its leases, so that nothing is renewed or counted.
    let gone = 0;
    const clock = { now: systemClock.now, monotonic: () => systemClock.monotonic() + gone };
    const dead = openMeter({ database, clock, ids, prices: { priceOf: () => free, version: "v" }, times, onError: () => {} });
    const journal = createJournal({ url: made.urls.deciding, clock: systemClock, keys: keys(), leaseMs: 100 });
    opened.push(journal);
    const [spent, lost] = [await begin(dead, tenant), await begin(dead, tenant)];
    for (const { run, request } of [spent, lost]) await journal.open(request, Date.now(), run.reservation);
    await admin.query(
      "insert into spend values ($1, $2, 0, 'decide', 'p/m', 'fits', 5, 0, 0, 5, 0, false, 17, 0, 'end', 'v', 5, 50)",
      [tenant, spent.request.decisionId],
    );
    await admin.query("update intent set ended = true where decision_id = $1", [spent.request.decisionId]);
    gone = 1_000_000;
    await until(async () => (await takeBackAllotments(database)) >= 0 && (await states(tenant)).includes("closing"));
    expect(await use(tenant)).toMatchObject({ used: 0 });
    await journal.stop();
    await until(async () => {
      await sweepIntents({ database, keys: keys() });
      await takeBackAllotments(database);
      return (await states(tenant)).every((state) => state === "closed");
    });
    expect(await use(tenant)).toEqual({ used: 17 + 50, drawn: 0 });
    const { rows } = await admin.query("select purpose, assumed, cost_micros::int from spend where decision_id = $1", [
      lost.request.decisionId,
    ]);
    expect(rows).toEqual([{ purpose: "assumed", assumed: true, cost_micros: 50 }]);
  });

  it("begins no decision on an allotment that was taken back", async () => {
    const tenant = await tenantWith(month);
    const meter = meterOf();
    const { run, request } = await begin(meter, tenant);
    await admin.query("update allotment set state = 'closed' where tenant = $1", [tenant]);
    const journal = createJournal({ url: made.urls.deciding, clock: systemClock, keys: keys() });
    opened.push(journal);
    expect(await journal.open(request, Date.now(), run.reservation)).toEqual({ kind: "reservation_gone" });
    const { rows } = await admin.query("select from intent where decision_id = $1", [request.decisionId]);
    expect(rows).toEqual([]);
  });

  it("closes no allotment while a transaction from before its mark could still begin a decision on it", async () => {
    const tenant = await tenantWith(month);
    const meter = meterOf();
    const { run } = await begin(meter, tenant);
    await admin.query("update allotment set lease_until = '2020-01-01' where tenant = $1", [tenant]);
    const early = new pg.Client({ connectionString: made.urls.deciding });
    await early.connect();
    try {
      await early.query("begin");
      await early.query("select pg_current_xact_id()");
      const marked = async () => (await admin.query("select * from mark_allotments($1)", [tenant])).rowCount;
      for (let round = 0; round < 3; round += 1) expect(await marked()).toBe(0);
      const [own] = run.reservation?.allotments ?? [];
      expect((await admin.query("select state from allotment where id = $1", [own])).rows).toEqual([{ state: "closing" }]);
      await early.query("commit");
      await until(async () => ((await marked()) ?? 0) > 0);
    } finally {
      await early.end();
    }
    run.release();
  });

  it("gives back what was taken of one budget where another cannot be asked", async () => {
    const tenant = await tenantWith({ ...month, cap: 100 }, { ...month, id: "broken" });
    // A database that is away for the second budget alone.
    const faulty: Database = {
      ...database,
      untenanted: (work) =>
        database.untenanted(async (store) => {
          const { rows } = await admin.query("select from budget_use where tenant = $1 and budget = 'all'", [tenant]);
          if (rows.length > 0) throw new Error("connection lost");
          return work(store);
        }),
    };
    const meter = openMeter({
      database: faulty,
      clock: systemClock,
      ids,
      prices: { priceOf: () => free, version: "v" },
      onError: () => {},
    });
    for (let turn = 0; turn < 3; turn += 1)
      await expect(meter.begin(asked(tenant, { costMicros: 100 }))).rejects.toThrow("connection lost");
    await meter.stop().catch(() => {});
    await admin.query("update budget set removed_at = now() where tenant = $1 and id = 'broken'", [tenant]);
    await admin.query("update allotment set lease_until = '2020-01-01' where tenant = $1", [tenant]);
    await until(
      async () => (await takeBackAllotments(database)) >= 0 && (await states(tenant)).every((state) => state === "closed"),
    );
    expect(await use(tenant)).toEqual({ used: 0, drawn: 0 });
  });

  it("refuses a small run for what it takes itself, not for what a larger one would have taken", async () => {
    const tenant = await tenantWith({ ...month, cap: 500 });
    const meter = meterOf();
    const [large, small] = await Promise.all([1_000, 10].map((costMicros) => meter.begin(asked(tenant, { costMicros }))));
    expect([large?.kind, small?.kind]).toEqual(["over_budget", "begun"]);
  });

  it("keeps what was used of a budget that is removed and set again, and holds to a cap that was lowered", async () => {
    const tenant = await tenantWith();
    const set = (cap: number) => setBudget(made.adminUrl, { ...month, tenant, cap });
    await set(10_000);
    const first = meterOf();
    settle(await first.begin(asked(tenant, { costMicros: 100 })), 80);
    await first.stop();
    await removeBudget(made.adminUrl, { tenant, id: "all" });
    expect(await listBudgets(made.adminUrl, tenant)).toEqual([]);
    await set(10_000);
    expect(await listBudgets(made.adminUrl, tenant)).toMatchObject([{ cap: 10_000, uses: [{ used: 80, drawn: 0 }] }]);
    let ahead = 0;
    const clock = { now: systemClock.now, monotonic: () => systemClock.monotonic() + ahead };
    const meter = openMeter({ database, clock, ids, prices: { priceOf: () => free, version: "v" }, onError: () => {} });
    opened.push(meter);
    settle(await meter.begin(asked(tenant, { costMicros: 10 })), 10);
    await set(95);
    ahead = 6_000;
    expect(await meter.begin(asked(tenant, { costMicros: 10 }))).toMatchObject({ kind: "over_budget" });
    settle(await meter.begin(asked(tenant, { costMicros: 5 })), 5);
  });
});

/** What the deciding role may do with budgets of others, and with caps. */
describe("the deciding role", () => {
  it("sees and counts in the tenants that it names alone, and changes no cap", async () => {
    const [one, other] = [await tenantWith(month), await tenantWith(month)];
    const client = new pg.Client({ connectionString: made.urls.deciding });
    await client.connect();
    try {
      await client.query("set search_path = countersign");
      await client.query("select set_config('countersign.tenants', $1, false)", [one]);
      expect((await client.query("select distinct tenant from budget")).rows).toEqual([{ tenant: one }]);
      await expect(client.query("update budget set cap = 9 where tenant = $1", [one])).rejects.toThrow(/permission denied/);
      await expect(
        client.query("insert into budget_use (tenant, budget, subject, period) values ($1, 'all', '', '2026-01-01')", [other]),
      ).rejects.toThrow(/permission denied/);
    } finally {
      await client.end();
    }
  });
});

function meterOf() {
  const meter = openMeter({
    database,
    clock: systemClock,
    ids,
    prices: { priceOf: () => free, version: "v" },
    onError: () => {},
  });
  opened.push(meter);
  return meter;
}

function asked(tenant: string, caps: object) {
  return { tenant, principal: "ana", capability: "refund", case: null, caps };
}

async function begin(meter: ReturnType<typeof meterOf>, tenant: string): Promise<{ run: MeteredRun; request: DecisionRequest }> {
  const run = await meter.begin(asked(tenant, { costMicros: 50 }));
  if (run.kind !== "begun") throw new Error(run.detail);
  const principal = { tenant, id: "ana", roles: [], attributes: {}, onBehalfOf: null, allow: everything };
  const request = {
    decisionId: ids.next(),
    entryId: ids.next(),
    principal,
    capability: "refund",
    inputs: {},
    idempotencyKey: null,
    cause: null,
  };
  return { run, request };
}

function settle(run: Awaited<ReturnType<ReturnType<typeof meterOf>["begin"]>>, micros: number): void {
  if (run.kind !== "begun") throw new Error(run.detail);
  run.settle({ micros, tokens: 0, turns: 0 });
}

let tenants = 0;
async function tenantWith(...budgets: readonly Budget[]): Promise<string> {
  tenants += 1;
  const tenant = `budget-${tenants}`;
  await admin.query("insert into tenant (id, name) values ($1, $1)", [tenant]);
  for (const { id, scope, name, unit, period, cap } of budgets)
    await admin.query("insert into budget (tenant, id, scope, name, unit, period, cap) values ($1, $2, $3, $4, $5, $6, $7)", [
      tenant,
      id,
      scope,
      name,
      unit,
      period,
      cap,
    ]);
  return tenant;
}

async function use(tenant: string): Promise<{ used: number; drawn: number }> {
  const { rows } = await admin.query("select used::int, drawn::int from budget_use where tenant = $1 and budget = 'all'", [
    tenant,
  ]);
  return rows[0];
}

async function states(tenant: string): Promise<readonly string[]> {
  const { rows } = await admin.query("select state from allotment where tenant = $1", [tenant]);
  return rows.map(({ state }) => state);
}

function keys() {
  return payloadKeys(Buffer.alloc(32, 7), pooledRandom(), database);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => expect(await holds()).toBe(true), { timeout: 15_000, interval: 20 });
}
