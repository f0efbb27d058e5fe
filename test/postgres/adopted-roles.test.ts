import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../setup/database.ts";
import { clusterLock, createMigratedDatabase } from "../setup/project-database.ts";

// Roles belong to the whole server. Each case gives a login more than it may have and rolls it back, while other files wait.
const migration = await readFile(new URL("../../migrations/0001_tenants.sql", import.meta.url), "utf8");
let database: TestDatabase;
let owner: pg.Client;
let turn: pg.Client;
beforeAll(async () => {
  // Makes the roles, as an earlier installation on the same server would have.
  await (await createMigratedDatabase()).drop();
  database = await createTestDatabase(inject("postgresAdminUrl"));
  owner = new pg.Client({ connectionString: database.url });
  turn = new pg.Client({ connectionString: inject("postgresAdminUrl") });
  await Promise.all([owner.connect(), turn.connect()]);
});
afterAll(async () => {
  await Promise.all([owner.end(), turn.end()]);
  await database.drop();
});

async function migrateAfter(change: string): Promise<void> {
  await turn.query("select pg_advisory_lock($1)", [clusterLock]);
  await owner.query("begin");
  try {
    await owner.query(change);
    await owner.query(migration);
  } finally {
    await owner.query("rollback");
    await turn.query("select pg_advisory_unlock($1)", [clusterLock]);
  }
}

test.each([
  ["desk", "superuser", "alter role desk superuser"],
  ["acting", "bypassrls", "alter role acting bypassrls"],
  ["deciding", "createrole", "alter role deciding createrole"],
  ["deciding", "createdb", "alter role deciding createdb"],
  ["acting", "replication", "alter role acting replication"],
  ["deciding", "member of acting and desk", "grant acting, desk to deciding"],
])("refuses to adopt a login `%s` that is there already with %s", async (role, what, change) => {
  await expect(migrateAfter(change)).rejects.toThrow(
    `the role \`${role}\` is there already and has more than it may have (${what}); take that from it, or rename it`,
  );
});

test("adopts logins that have nothing more than they may have", async () => {
  await expect(migrateAfter("select 1")).resolves.toBeUndefined();
});
