import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { CountersignError, messageOf } from "../contract/errors.ts";
import { type DatabaseRole, databaseRoles } from "../contract/words.ts";

const migrationsDirectory = fileURLToPath(new URL("../../migrations/", import.meta.url));
/** Any fixed number; two `migrate` at the same instant take turns by it. */
const migrationLock = 7_263_544_001;

/** Passwords to give the logins; left alone where absent (production sets them by its own means). */
export type RolePasswords = Readonly<Partial<Record<DatabaseRole, string>>>;

/**
 * Brings a database to the newest migration, each in a transaction of its own, and returns the names of those that ran.
 * `adminUrl` is the owner's login, used for nothing else. With `only` no other migrations run. Fails with `migration_failed`, naming the file.
 */
export async function migrate({
  adminUrl,
  passwords = {},
  only,
}: {
  adminUrl: string;
  passwords?: RolePasswords;
  only?: readonly string[];
}): Promise<string[]> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "countersign migrate" });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await client.query(
      "create table if not exists public.countersign_migration (name text primary key, at timestamptz default now())",
    );
    const done = await client.query<{ name: string }>("select name from public.countersign_migration");
    const known = new Set(done.rows.map((row) => row.name));
    const waiting = (await migrationNames()).filter((name) => !known.has(name) && only?.includes(name) !== false);
    for (const name of waiting) await apply(client, name);
    await setPasswords(client, passwords);
    return waiting;
  } finally {
    await client.end();
  }
}

/** The names of the migrations that this version has, in order. */
export async function migrationNames(): Promise<string[]> {
  const names = await readdir(migrationsDirectory);
  return names.filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name)).sort();
}

async function apply(client: pg.Client, name: string): Promise<void> {
  const text = await readFile(`${migrationsDirectory}${name}`, "utf8");
  try {
    await client.query("begin");
    await client.query(text);
    await client.query("insert into public.countersign_migration (name) values ($1)", [name]);
    await client.query("commit");
  } catch (thrown) {
    await client.query("rollback");
    throw new CountersignError("migration_failed", `migration \`${name}\` failed: ${messageOf(thrown)}`, {
      facts: { name },
      cause: thrown,
    });
  }
}

async function setPasswords(client: pg.Client, passwords: RolePasswords): Promise<void> {
  for (const role of databaseRoles) {
    const password = passwords[role];
    if (password !== undefined) await client.query(`alter role ${role} password ${client.escapeLiteral(password)}`);
  }
}

/** The URL of a role's login at the same server and database as the admin's. */
export function roleUrl({ adminUrl, role, password }: { adminUrl: string; role: DatabaseRole; password: string }): string {
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;
  return url.href;
}
