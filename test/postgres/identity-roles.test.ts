import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type WriterRole, writerRoles } from "../../src/contract/words.ts";
import { openIdentities } from "../../src/identity/identities.ts";
import { hashOfKey } from "../../src/identity/keys.ts";
import { openDatabase } from "../../src/store/database.ts";
import { putTestPeople } from "../setup/people.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// What each role may see and do of people and keys: what counts is that PostgreSQL refuses, whatever code asks.
let store: MigratedDatabase;
let owner: pg.Pool;
const clients = new Map<WriterRole, pg.Client>();
const keys = { ada: "key-of-ada-for-roles", gus: "key-of-gus-for-roles" };

beforeAll(async () => {
  store = await createMigratedDatabase();
  owner = new pg.Pool({ connectionString: store.adminUrl, max: 1 });
  await putTestPeople(store.adminUrl, [
    { tenant: "acme", id: "ada", roles: ["employee"], key: keys.ada },
    { tenant: "globex", id: "gus", roles: ["owner"], key: keys.gus },
  ]);
  for (const role of writerRoles) {
    const client = new pg.Client({ connectionString: store.urls[role], options: "-c search_path=countersign" });
    await client.connect();
    clients.set(role, client);
  }
});
afterAll(async () => {
  await Promise.all([...clients.values()].map((client) => client.end()));
  await owner?.end();
  await store?.drop();
});

/** Runs a statement as a role that has named `acme`, always rolled back; gives rows, or the SQLSTATE of the refusal. */
async function attempt(role: WriterRole, sql: string, values: readonly unknown[] = []): Promise<readonly object[] | string> {
  const client = clients.get(role);
  if (client === undefined) throw new Error("no such client");
  await client.query("begin");
  try {
    await client.query("select set_config('countersign.tenants', 'acme', true)");
    return (await client.query(sql, [...values])).rows;
  } catch (thrown) {
    return thrown instanceof pg.DatabaseError ? (thrown.code ?? "no code") : String(thrown);
  } finally {
    await client.query("rollback");
  }
}

const refused = "42501";
/** Who reads whole accounts, and who sees of an account what it takes to act for it. */
const reads: readonly WriterRole[] = ["deciding", "desk"];
const sees: readonly WriterRole[] = [...reads, "acting"];

describe.each(writerRoles)("the role %s", (role) => {
  test("sees the accounts of the tenant that it names, if it sees any", async () => {
    expect(await attempt(role, "select tenant, id from account")).toEqual(
      sees.includes(role) ? [{ tenant: "acme", id: "ada" }] : refused,
    );
    const client = clients.get(role);
    const unnamed = client?.query("select id from countersign.account").then(({ rows }) => rows);
    if (sees.includes(role)) expect(await unnamed).toEqual([]);
    else await expect(unnamed).rejects.toMatchObject({ code: refused });
  });

  test.each([
    ["list keys", "select id from api_key"],
    ["see a hash of a key", "select hash from api_key"],
    ["see as whom a provider knows somebody", "select external_subject from account"],
    ["see the invitation", "select hash from invitation"],
    ["make an account", "insert into account (tenant, id, kind, name, roles) values ('acme', 'eve', 'person', 'Eve', '{owner}')"],
    ["give itself a role", "update account set roles = '{owner}'"],
    ["let somebody in again", "update account set state = 'active'"],
    ["remove an account", "delete from account"],
    [
      "make a key",
      "insert into api_key (id, tenant, account, hash, scopes) values (gen_random_uuid(), 'acme', 'ada', sha256('x'), '{ask}')",
    ],
    ["widen a key", "update api_key set scopes = '{admin}'"],
    ["invite somebody", "insert into invitation (hash, expires_at) values (sha256('x'), now())"],
    ["let a tenant go on", "update tenant set state = 'active'"],
    ["change a tenant's salt", "update tenant set key_salt = null"],
  ])("cannot %s", async (_, sql) => {
    expect(await attempt(role, sql)).toBe(refused);
  });

  test("is told whose key it is by its exact hash, if it is the desk", async () => {
    const found = await attempt(role, "select tenant, id, scopes from identify_key($1)", [hashOfKey(keys.gus)]);
    expect(found).toEqual(role === "desk" ? [expect.objectContaining({ tenant: "globex", id: "gus" })] : refused);
    const none = await attempt(role, "select * from identify_key($1)", [hashOfKey("another-key")]);
    expect(none).toEqual(role === "desk" ? [] : refused);
  });

  test("reads one account of a tenant that it names in the same call, and no tenant beside", async () => {
    const one = await attempt(role, "select id from account_now('globex', 'gus')");
    expect(one).toEqual(reads.includes(role) ? [{ id: "gus" }] : refused);
    if (reads.includes(role)) expect(await attempt(role, "select id from account_now('globex', 'ada')")).toEqual([]);
  });

  test("sees a name and attributes, if it reads whole accounts", async () => {
    for (const column of ["name", "attributes"])
      expect(await attempt(role, `select ${column} from account`)).toEqual(reads.includes(role) ? [expect.anything()] : refused);
  });

  test("is told who is active of the accounts that it names, if it acts for them", async () => {
    const found = await attempt(role, "select id, roles from accounts_now('acme', '{ada,gus,nobody}')");
    expect(found).toEqual(role === "acting" ? [{ id: "ada", roles: ["employee"] }] : refused);
    // Of a tenant that the transaction does not name there is nobody.
    expect(await attempt(role, "select id from accounts_now('globex', '{gus}')")).toEqual(role === "acting" ? [] : refused);
  });

  test("makes no owner with a word that was not given out", async () => {
    const sql = "select accept_invitation(sha256('x'), 'acme', 'A', null, 'eve', 'Eve', gen_random_uuid(), sha256('y')) as made";
    expect(await attempt(role, sql)).toEqual(role === "desk" ? [{ made: false }] : refused);
  });
});

test("a key is marked as used to the minute, and written once a minute", async () => {
  const database = openDatabase({ url: store.urls.desk, role: "desk", connections: 4 });
  const { ofCredential } = openIdentities(database);
  const state = async () =>
    (await owner.query("select xmin::text, last_used_at from countersign.api_key where account = 'ada'")).rows[0];
  expect((await state()).last_used_at).toBeNull();
  await Promise.all(Array.from({ length: 20 }, () => ofCredential(keys.ada)));
  const used = await state();
  expect(used.last_used_at.getTime() % 60_000).toBe(0);
  expect(Date.now() - used.last_used_at.getTime()).toBeLessThan(120_000);
  await ofCredential(keys.ada);
  const again = await state();
  // Unless the minute has just passed, nothing was written.
  if (again.last_used_at.getTime() === used.last_used_at.getTime()) expect(again.xmin).toBe(used.xmin);
  await owner.query("update countersign.api_key set last_used_at = '2026-01-01' where account = 'ada'");
  await ofCredential(keys.ada);
  expect((await state()).last_used_at.getTime()).toBeGreaterThanOrEqual(used.last_used_at.getTime());
  await database.close();
});
