import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { defineSqlQuery } from "../../../src/define/sql-query.ts";
import { postgresRecords } from "../../../src/know/records/postgres/postgres-records.ts";
import type { Records } from "../../../src/know/records/records.ts";
import { createTestDatabase, type TestDatabase } from "../../setup/database.ts";
import { asking, opened, read, rows } from "./asking.ts";

const shape = {
  ...{
    id: z.string(),
    tenant: z.string(),
    holder: z.string(),
    state: z.enum(["free", "used"]),
    price: z.string(),
    count: z.int(),
  },
  ...{
    weight: z.number().nullable(),
    bought: z.string(),
    seen: z.string(),
    tags: z.array(z.string()),
    facts: z.json(),
    is_new: z.boolean(),
  },
};
const labels = { id: "system", state: "system" } as const;
const columns = Object.keys(shape).join(", ");
const one = { labels, key: "id", params: z.strictObject({ id: z.string() }), row: z.strictObject(shape) } as const;
const narrow = { labels: { id: "system" }, key: "id", row: z.strictObject({ id: z.string() }) } as const;
const byTenant = { ...narrow, params: z.strictObject({}) } as const;

const large = {
  ...{ ...byTenant, key: () => "one" },
  sql: `select '{"n": 9007199254740993}'::jsonb as id where :tenant <> ''`,
} as const;

const queries = [
  defineSqlQuery({ ...one, name: "d.byId", sql: `select ${columns} from device where tenant = :tenant and id = :id` }),
  defineSqlQuery({
    ...narrow,
    name: "d.mine",
    params: z.strictObject({ holder: z.string() }),
    scope: { sees_all: ({ principal }) => principal.roles.includes("lead") },
    sql: `-- whose :device? "it's" ; theirs
      select id from device where tenant = :tenant and (holder = :principal or :sees_all) and holder = :holder and state::text <> ':x' order by id`,
  }),
  defineSqlQuery({ ...byTenant, name: "d.all", limit: 2, sql: "select id from device where tenant = :tenant order by id" }),
  defineSqlQuery({
    ...byTenant,
    name: "d.slow",
    timeoutMs: 200,
    sql: "select id from device where tenant = :tenant and pg_sleep(30) is null",
  }),
  defineSqlQuery({ ...byTenant, name: "d.writes", sql: "select grab(:tenant) as id" }),
  defineSqlQuery({ ...byTenant, name: "d.star", sql: "select * from changing where tenant = :tenant" }),
  defineSqlQuery({ ...byTenant, name: "d.named", sql: "select id from changing where tenant = :tenant" }),
  defineSqlQuery({
    ...byTenant,
    name: "d.large",
    row: z.strictObject({ id: z.int() }),
    sql: "select 9007199254740993 as id where :tenant <> ''",
  }),
  defineSqlQuery({ ...large, name: "d.jsonNumber", row: z.strictObject({ id: z.strictObject({ n: z.number() }) }) }),
  defineSqlQuery({ ...large, name: "d.jsonText", row: z.strictObject({ id: z.strictObject({ n: z.string() }) }) }),
];

let database: TestDatabase;
let owner: pg.Client;
let readerUrl: string;
let records: Records;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresAdminUrl"));
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`
    create type device_state as enum ('free', 'used');
    create table device (id text, tenant text, holder text, state device_state, price numeric(10, 2), count bigint, weight float8, bought date,
      seen timestamptz, tags text[], facts jsonb, is_new boolean);
    insert into device select t || '-' || n, t, 'emp-' || n, 'free', 19.90, n, null, '2026-02-01', '2026-02-01 10:00:00+01', '{a,"b c"}',
      '{"x": 1}', true from unnest(array['acme', 'globex']) t, generate_series(1, 2) n;
    create table grabbed (tenant text);
    create function grab(text) returns text language sql as 'insert into grabbed values ($1) returning tenant';`);
  readerUrl = database.url;
  records = opened(readerUrl, postgresRecords({ name: "devices", secret: "R", queries, connections: 1 }));
});
afterEach(() => owner.query("drop table if exists changing"));
afterAll(async () => {
  await records?.close();
  await owner?.end();
  await database?.drop();
});

describe("a query over PostgreSQL", () => {
  it("gives each column as its schema has it, times in UTC, decimals as they are", async () => {
    expect(await read(records, "d.byId", { params: { id: "acme-1" } })).toEqual([
      {
        ...{
          kind: "record",
          id: "d.byId:acme-1",
          need: "n",
          query: "d.byId",
          title: "d.byId",
          labels,
          readAt: expect.any(Number),
        },
        row: {
          ...{
            id: "acme-1",
            tenant: "acme",
            holder: "emp-1",
            state: "free",
            price: "19.90",
            count: 1,
            weight: null,
            bought: "2026-02-01",
          },
          ...{ seen: "2026-02-01T09:00:00Z", tags: ["a", "b c"], facts: { x: 1 }, is_new: true },
        },
      },
    ]);
  });

  it("binds whatever it is handed, and makes no part of its text of it", async () => {
    for (const id of ["acme-1' or 'a' = 'a", "'; drop table device; --", "$1", ":tenant", "x\\"])
      expect(await rows(records, "d.byId", { params: { id } })).toEqual([]);
    await expect(rows(records, "d.byId", { params: { id: 5 } })).rejects.toMatchObject({ code: "definition_invalid" });
    await expect(rows(records, "d.byId", { params: { id: "a", tenant: "globex" } })).rejects.toMatchObject({
      code: "definition_invalid",
    });
    await expect(rows(records, "d.byId", { params: {} })).rejects.toMatchObject({ code: "definition_invalid" });
  });

  it.each([
    ["the holder", {}, ["acme-1"]],
    ["somebody else", { id: "emp-2" }, []],
    ["a lead", { id: "emp-9", roles: ["lead"] }, ["acme-1"]],
    ["a lead of another tenant", { tenant: "globex", roles: ["lead"] }, ["globex-1"]],
    ["nobody of a third one", { tenant: "umbra", roles: ["lead"] }, []],
  ])("shows %s what is theirs", async (_who, who, expected) => {
    const found = await rows(records, "d.mine", { params: { holder: "emp-1" }, envelope: asking(who) });
    expect(found.map(({ id }) => id)).toEqual(expected);
  });

  it("gives an answer up to its limit, and none that would have to be cut", async () => {
    expect(await rows(records, "d.all")).toHaveLength(2);
    await owner.query("insert into device (id, tenant) values ('acme-3', 'acme')");
    await expect(rows(records, "d.all")).rejects.toMatchObject({ code: "record_unavailable", facts: { trouble: "rows" } });
    await owner.query("delete from device where id = 'acme-3'");
  });

  it("is ended by the server when its time is over, and the connection serves the next", async () => {
    await expect(rows(records, "d.slow")).rejects.toMatchObject({
      code: "record_unavailable",
      facts: { query: "d.slow", trouble: "time" },
    });
    expect(await rows(records, "d.all")).toHaveLength(2);
  });

  it("writes nothing, though its login could", async () => {
    await expect(rows(records, "d.writes")).rejects.toMatchObject({ code: "record_unavailable" });
    expect((await owner.query("select * from grabbed")).rows).toEqual([]);
  });

  it("reaches nothing where no server is, and says so", async () => {
    const nowhere = opened("postgres://127.0.0.1:1/none", postgresRecords({ name: "nowhere", secret: "R", queries }));
    await expect(rows(nowhere, "d.all")).rejects.toMatchObject({ code: "record_unavailable", facts: { trouble: "connection" } });
    await nowhere.close();
  });

  it("refuses a number that JSON would change", async () => {
    await expect(rows(records, "d.large")).rejects.toMatchObject({ code: "record_unavailable", facts: { trouble: "value" } });
    await expect(rows(records, "d.jsonNumber")).rejects.toMatchObject({ code: "record_changed", facts: { column: "id" } });
    expect(await rows(records, "d.jsonText")).toEqual([{ id: { n: "9007199254740993" } }]);
  });
});

describe("columns that changed", () => {
  it.each([
    ["d.star", "tenant text, id text, email text", "email"],
    ["d.named", "tenant text", "id"],
    ["d.named", "tenant text, id integer", "id"],
    ["d.named", "tenant text, id boolean", "id"],
    ["d.named", "tenant text, id bytea", "id"],
  ])("fail %s over (%s) without a row to look at, and name `%s`", async (query, of, column) => {
    await owner.query(`create table changing (${of})`);
    const failed = rows(records, query);
    if (query === "d.star") await expect(failed).rejects.toMatchObject({ code: "record_changed", facts: { query } });
    else await expect(failed).rejects.toMatchObject({ code: "record_changed", facts: { query, column } });
  });

  it("fail where a value is none of the schema's, and do not repeat it", async () => {
    await owner.query("create table changing (tenant text, id text); insert into changing values ('acme', null)");
    await expect(rows(records, "d.named")).rejects.toMatchObject({
      code: "record_changed",
      facts: { query: "d.named", column: "id" },
    });
    await owner.query("alter type device_state add value 'lost'");
    await owner.query("update device set state = 'lost' where id = 'acme-2'");
    const failed = await rows(records, "d.byId", { params: { id: "acme-2" } }).catch((thrown: unknown) => thrown);
    expect(failed).toMatchObject({ code: "record_changed", facts: { column: "state" } });
    expect(String(failed)).not.toContain("lost");
  });

  it("are no fault where they are as declared again", async () => {
    await owner.query("create table changing (tenant text, id varchar(20)); insert into changing values ('acme', 'a')");
    expect(await rows(records, "d.named")).toEqual([{ id: "a" }]);
    await owner.query("drop table changing");
    await expect(rows(records, "d.named")).rejects.toMatchObject({ code: "record_changed", facts: { column: "changing" } });
  });
});
