import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createRefresher, refreshViews } from "../../../src/act/refresh-views.ts";
import { defineAggregateView } from "../../../src/define/sql-query.ts";
import { postgresRecords } from "../../../src/know/records/postgres/postgres-records.ts";
import type { Records } from "../../../src/know/records/records.ts";
import { fixedClock } from "../../../src/testing/fixed.ts";
import { createTestDatabase, type TestDatabase } from "../../setup/database.ts";
import { clusterLock } from "../../setup/project-database.ts";
import { asking, opened, read, rows } from "./asking.ts";

const month = {
  key: "month",
  labels: { month: "system", orders: "system" },
  params: z.strictObject({}),
  tenantColumn: "tenant",
} as const;
const shape = { month: z.string(), orders: z.int() };
const everyMs = 60_000;
const plain = defineAggregateView({
  ...month,
  name: "v.plain",
  view: "shop.plain",
  orderBy: ["month"],
  row: z.strictObject(shape),
});
const kept = defineAggregateView({
  ...{ ...month, name: "v.kept", view: "shop.kept", orderBy: ["month"], refresh: { at: "as_of", everyMs } },
  row: z.strictObject({ ...shape, as_of: z.string() }),
});
const least = defineAggregateView({
  ...{ ...month, name: "v.least", view: "shop.plain", row: z.strictObject(shape), params: z.strictObject({}) },
  groupSize: { field: "orders", minimumGroup: 3, subject: "order" },
});
const ofMonth = defineAggregateView({
  ...{
    ...month,
    name: "v.ofMonth",
    view: "shop.plain",
    row: z.strictObject(shape),
    params: z.strictObject({ month: z.string() }),
  },
  groupSize: { field: "orders", minimumGroup: 3, subject: "order" },
});
const ageless = defineAggregateView({ ...month, name: "v.ageless", view: "shop.kept", row: z.strictObject(shape) });
const gone = defineAggregateView({ ...month, name: "v.gone", view: "shop.gone", row: z.strictObject(shape) });
const table = defineAggregateView({ ...month, name: "v.table", view: "shop.orders", row: z.strictObject(shape) });
const queries = [plain, kept, least, ofMonth, ageless, gone, table];

let database: TestDatabase;
let owner: pg.Client;
let records: Records;
let refresher: ReturnType<typeof createRefresher>;
const clock = fixedClock(0);
const faults: unknown[] = [];
const role = `maintainer_${randomBytes(6).toString("hex")}`;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresAdminUrl"));
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query("select pg_advisory_lock($1)", [clusterLock]);
  await owner.query(`create role ${role} login password 'for-tests-only'`);
  await owner.query("select pg_advisory_unlock($1)", [clusterLock]);
  await owner.query(`
    create schema shop;
    create table shop.orders (tenant text, month text, orders int);
    insert into shop.orders select 'acme', '2026-0' || m, 1 from generate_series(1, 3) m, generate_series(1, 4 - m);
    insert into shop.orders values ('globex', '2026-01', 1);
    create view shop.plain as select tenant, month, sum(orders)::int as orders from shop.orders group by 1, 2;
    create materialized view shop.kept as select *, now() as as_of from shop.plain with no data;
    create unique index on shop.kept (tenant, month);
    grant usage on schema shop to ${role};
    grant maintain, select on shop.kept to ${role};`);
  const url = new URL(database.url);
  url.username = role;
  url.password = "for-tests-only";
  records = opened(database.url, postgresRecords({ name: "shop", secret: "R", queries }));
  const refreshes = [refreshViews({ name: "shop", secret: "M", queries })];
  refresher = createRefresher({ refreshes, vault: { secret: () => url.href }, clock, onError: (thrown) => faults.push(thrown) });
});
afterAll(async () => {
  await records?.close();
  await refresher?.close();
  await owner?.query(`drop owned by ${role}; drop role ${role}`);
  await owner?.end();
  await database?.drop();
});

describe("a view of totals", () => {
  it("is read by its columns, of one's own tenant", async () => {
    const own = [
      { month: "2026-01", orders: 3 },
      { month: "2026-02", orders: 2 },
      { month: "2026-03", orders: 1 },
    ];
    expect(await rows(records, "v.plain")).toEqual(own);
    expect(await rows(records, "v.plain", { envelope: asking({ tenant: "globex" }) })).toEqual([{ month: "2026-01", orders: 1 }]);
  });

  it("has to be in the catalogue, and a materialised one has to say how old it is", async () => {
    for (const query of ["v.gone", "v.table"])
      await expect(rows(records, query)).rejects.toMatchObject({ code: "record_changed", facts: { query } });
    await expect(rows(records, "v.ageless")).rejects.toMatchObject({ code: "definition_invalid", facts: { query: "v.ageless" } });
  });

  it("leaves out small groups, and the smallest large one where what is left out would be small itself", async () => {
    expect(await rows(records, "v.least", { envelope: asking({ at: 11 }) })).toEqual([{ month: "2026-01", orders: 3 }]);
    await owner.query("insert into shop.orders values ('acme', '2026-04', 1), ('acme', '2026-02', 1)");
    expect(await rows(records, "v.least", { envelope: asking({ at: 12 }) })).toEqual([{ month: "2026-01", orders: 3 }]);
    await owner.query("delete from shop.orders where month = '2026-04'");
    await owner.query("delete from shop.orders where ctid in (select ctid from shop.orders where month = '2026-02' limit 1)");
  });

  it("answers one question of a decision, and no other beside it", async () => {
    const envelope = asking({ at: 13 });
    const one = { params: { month: "2026-01" }, envelope };
    expect(await rows(records, "v.ofMonth", one)).toHaveLength(1);
    expect(await rows(records, "v.ofMonth", one)).toHaveLength(1);
    await expect(rows(records, "v.least", { envelope })).rejects.toMatchObject({ code: "group_too_small" });
    expect(await rows(records, "v.least", { envelope: asking({ at: 14 }) })).toHaveLength(1);
  });
});

describe("a materialised view", () => {
  it("gives nothing before its first refresh, then what it had then, with its age", async () => {
    await expect(rows(records, "v.kept")).rejects.toMatchObject({ code: "record_unavailable" });
    expect(await refresher.round()).toBe(1);
    const [first] = await read(records, "v.kept");
    expect(first?.row).toMatchObject({ month: "2026-01", orders: 3 });
    const { rows: times } = await owner.query(
      "select (extract(epoch from min(as_of)) * 1000)::bigint::text as at from shop.kept",
    );
    expect(Math.abs((first?.readAt ?? 0) - Number(times[0]?.at))).toBeLessThanOrEqual(1);
  });

  it("is refreshed when its time has come, by one worker, under a role that may do no more", async () => {
    await owner.query("update shop.orders set orders = 10 where month = '2026-01' and tenant = 'acme'");
    expect(await refresher.round()).toBe(0);
    clock.advance(everyMs);
    // By the database's own clock it is young yet.
    expect(await refresher.round()).toBe(0);
    await owner.query("drop materialized view shop.kept");
    await owner.query(`create materialized view shop.kept as select *, clock_timestamp() - interval '2 hours' as as_of from shop.plain;
      create unique index on shop.kept (tenant, month); grant maintain, select on shop.kept to ${role}`);
    await expect(rows(records, "v.kept")).rejects.toMatchObject({ code: "record_unavailable", facts: { maxAgeMs: 3_600_000 } });
    // Also for whoever it holds no row for.
    await expect(rows(records, "v.kept", { envelope: asking({ tenant: "umbra" }) })).rejects.toMatchObject({
      code: "record_unavailable",
    });
    clock.advance(everyMs);
    const locked = await owner.query(`select pg_advisory_lock(hashtextextended('refresh "shop"."kept"', 0))`);
    expect(locked.rows).toHaveLength(1);
    expect(await refresher.round()).toBe(0);
    await owner.query("select pg_advisory_unlock_all()");
    clock.advance(everyMs);
    expect(await refresher.round()).toBe(1);
    expect(faults).toEqual([]);
  });

  it("that cannot be refreshed is told of", async () => {
    await owner.query("drop materialized view shop.kept");
    clock.advance(everyMs);
    expect(await refresher.round()).toBe(0);
    expect(faults).toMatchObject([{ code: "record_changed" }]);
  });
});
