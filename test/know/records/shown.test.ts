import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { type Envelope, everything } from "../../../src/contract/principal.ts";
import { defineSqlQuery } from "../../../src/define/sql-query.ts";
import { postgresRecords } from "../../../src/know/records/postgres/postgres-records.ts";
import type { Records } from "../../../src/know/records/records.ts";
import { createTestDatabase, type TestDatabase } from "../../setup/database.ts";
import { asking, opened, read, rows } from "./asking.ts";

// What a decision is shown of rows, whoever asks, over every kind of query.
const labels = { id: "system", team: "system", email: "directory", iban: "secret", pay: "system" } as const;
const row = z.strictObject({ id: z.string(), team: z.string(), email: z.string(), iban: z.string(), pay: z.string() });
const from = "from person where tenant = :tenant and (:sees_all or team = any (:roles))";
const common = {
  labels,
  row,
  key: "id",
  scope: { sees_all: ({ principal }: Envelope) => principal.roles.includes("hr") },
} as const;
const totals = {
  by: ["team"],
  subject: "id",
  minimumGroup: 3,
  measures: { people: { as: "count" }, pay: { as: "sum", of: "pay" } },
} as const;
const sql = `select id, team, email, iban, pay ${from} order by id`;
const queries = [
  defineSqlQuery({
    ...{ ...common, name: "people.all", params: z.strictObject({}), sql },
    fields: { email: { mask: "domain" }, iban: { mask: "last_four" }, pay: "exclude" },
    units: { pay: { unit: "EUR" } },
  }),
  defineSqlQuery({
    ...common,
    name: "people.pay",
    params: z.strictObject({}),
    sql,
    aggregate: totals,
    units: { pay: { unit: "EUR" } },
  }),
  defineSqlQuery({
    ...{ ...common, name: "people.payBut", params: z.strictObject({ but: z.string() }), aggregate: { ...totals, by: [] } },
    sql: `select id, team, email, iban, pay ${from} and id <> :but`,
  }),
];

let database: TestDatabase;
let owner: pg.Client;
let records: Records;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresAdminUrl"));
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`create table person (tenant text, id text, team text, email text, iban text, pay numeric);
    insert into person select tenant, 'p-' || n, case when n <= 4 then 'red' else 'blue' end, 'p' || n || '@' || tenant || '.example',
      'DE0000000000' || 1000 + n, 1000 + n from unnest(array['acme', 'globex']) tenant, generate_series(1, 7) n`);
  records = opened(database.url, postgresRecords({ name: "people", secret: "R", queries }));
});
afterAll(async () => {
  await records?.close();
  await owner?.end();
  await database?.drop();
});

const hr = { roles: ["hr"] };

describe("fields of a row", () => {
  it("are covered or gone, labels and units stay, and what was hidden is known", async () => {
    const envelope = asking({ ...hr, at: 2 });
    const [first] = await read(records, "people.all", { envelope });
    expect(first).toMatchObject({ id: "people.all:p-1", labels, units: { pay: { unit: "EUR" } }, masked: ["email", "iban"] });
    expect(first?.row).toEqual({ id: "p-1", team: "red", email: "***@acme.example", iban: "***1001" });
    const texts = ["write to p1@acme.example, iban de00000000001001, and she earns 1001; p9@acme.example"];
    expect(records.findHidden({ texts, envelope })).toEqual(["p1@acme.example", "DE00000000001001", "1001"]);
    const beside = records.hiddenBeside({ findHidden: async () => ["p9@acme.example"] });
    expect(await beside.findHidden({ texts, envelope })).toEqual([
      "p9@acme.example",
      "p1@acme.example",
      "DE00000000001001",
      "1001",
    ]);
    expect(records.findHidden({ texts, envelope: asking({ ...hr, at: 3 }) })).toEqual([]);
    expect(records.findHidden({ texts, envelope: asking({ ...hr, at: 2, id: "emp-2" }) })).toEqual([]);
  });
});

describe("totals", () => {
  it("stand in the place of rows, and no row is in them", async () => {
    const found = await read(records, "people.pay", { envelope: asking({ ...hr, at: 4 }) });
    expect(found.map(({ id, row: total, units }) => [id, total, units])).toEqual([
      ["people.pay:red", { team: "red", people: 4, pay: "4010" }, { pay: { unit: "EUR" } }],
      ["people.pay:blue", { team: "blue", people: 3, pay: "3018" }, { pay: { unit: "EUR" } }],
    ]);
  });

  it("of one decision do not differ by one person", async () => {
    const envelope = asking({ ...hr, at: 5 });
    expect(await rows(records, "people.payBut", { params: { but: "nobody" }, envelope })).toEqual([{ people: 7, pay: "7028" }]);
    const one = rows(records, "people.payBut", { params: { but: "p-1" }, envelope });
    await expect(one).rejects.toMatchObject({ code: "group_too_small", facts: { query: "people.payBut" } });
    await expect(rows(records, "people.pay", { envelope })).resolves.toHaveLength(2);
  });
});

describe("whoever asks", () => {
  const who = [
    [
      "hr",
      hr,
      7,
      [
        ["red", 4],
        ["blue", 3],
      ],
    ],
    ["the red team", { roles: ["red"] }, 4, [["red", 4]]],
    [
      "both teams",
      { roles: ["red", "blue"] },
      7,
      [
        ["red", 4],
        ["blue", 3],
      ],
    ],
    ["nobody's team", { roles: ["green"] }, 0, []],
    ["hr of a tenant without people", { ...hr, tenant: "umbra" }, 0, []],
  ] as const;

  it.each(who)("%s sees rows and totals of what is theirs", async (_who, given, count, groups) => {
    const envelope = asking({ ...given, at: 6 });
    expect(await rows(records, "people.all", { envelope })).toHaveLength(count);
    const shown = (await rows(records, "people.pay", { envelope })).map((total) => [total["team"], total["people"]]);
    expect(shown).toEqual(groups);
  });

  it.each(["acme", "globex"])("sees nothing of another tenant's than %s", async (tenant) => {
    const found = JSON.stringify(await rows(records, "people.all", { envelope: asking({ ...hr, tenant, at: 7 }) }));
    expect(found).toContain(`@${tenant}.example`);
    expect(found).not.toContain(tenant === "acme" ? "globex" : "acme.");
  });

  it("reads no query that the account's list leaves out", async () => {
    const envelope = asking({ ...hr, allow: { ...everything, records: ["people.pay"] }, at: 8 });
    await expect(rows(records, "people.all", { envelope })).rejects.toMatchObject({ code: "forbidden" });
    expect(await rows(records, "people.pay", { envelope })).toHaveLength(2);
  });
});
