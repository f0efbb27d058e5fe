import pg from "pg";
import { inject } from "vitest";
import { type DatabaseRole, databaseRoles } from "../../src/contract/words.ts";
import { migrate, roleUrl } from "../../src/store/migrate.ts";
import { createTestDatabase } from "./database.ts";

/** A migrated database with the tenants `acme` and `globex`, and a login for each role. */
export interface MigratedDatabase {
  /** The owner's login: what a role may not do, a test does with this. */
  readonly adminUrl: string;
  readonly urls: Readonly<Record<DatabaseRole, string>>;
  drop(): Promise<void>;
}

const password = "for-tests-only";
/** Any fixed number: files that run at the same time take turns in what concerns the whole cluster. */
export const clusterLock = 7_263_544_002;

/** Makes a database for one test file on the run's server. */
export async function createMigratedDatabase(serverUrl: string = inject("postgresAdminUrl")): Promise<MigratedDatabase> {
  const database = await createTestDatabase(serverUrl);
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    // Roles belong to the cluster: two files that create or alter them at once fail with "tuple concurrently updated".
    await client.query("select pg_advisory_lock($1)", [clusterLock]);
    await migrate({ adminUrl: database.url });
    for (const role of databaseRoles) await client.query(`alter role ${role} password '${password}'`);
  } finally {
    await client.end();
  }
  await insertTenants(database.url);
  const url = (role: DatabaseRole): string => roleUrl({ adminUrl: database.url, role, password });
  return {
    adminUrl: database.url,
    urls: { deciding: url("deciding"), desk: url("desk"), acting: url("acting"), ingesting: url("ingesting") },
    drop: () => database.drop(),
  };
}

async function insertTenants(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query("insert into countersign.tenant (id, name) values ('acme', 'Acme'), ('globex', 'Globex')");
  } finally {
    await client.end();
  }
}
