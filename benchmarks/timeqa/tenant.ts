import pg from "pg";

/** Adds a tenant under the owner's login, as a bench alone does it. */
export async function insertTenant({ adminUrl, tenant }: { adminUrl: string; tenant: string }): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query("insert into countersign.tenant (id, name) values ($1, $1)", [tenant]);
  } finally {
    await client.end();
  }
}
