import pg from "pg";
import { expect, inject, it } from "vitest";
import { createTestDatabase } from "./database.ts";

it("gives every caller an empty database of its own and removes it while connections are open", async () => {
  const adminUrl = inject("postgresAdminUrl");
  const [first, second] = await Promise.all([createTestDatabase(adminUrl), createTestDatabase(adminUrl)]);
  const client = new pg.Client({ connectionString: first.url });
  client.on("error", () => {});
  await client.connect();
  await client.query("create table only_here (n int)");
  const other = new pg.Client({ connectionString: second.url });
  await other.connect();
  const { rows } = await other.query("select to_regclass('only_here') as found, current_database() as name");
  expect(rows).toEqual([{ found: null, name: second.name }]);
  await other.end();
  await Promise.all([first.drop(), second.drop()]);
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const left = await admin.query("select datname from pg_database where datname in ($1, $2)", [first.name, second.name]);
  expect(left.rows).toEqual([]);
  await admin.end();
});
