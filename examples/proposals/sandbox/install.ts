import { readFile } from "node:fs/promises";
import pg from "pg";

/** Puts the sales system into a database, in the schema `sales`, and gives its reading login. Repeating it changes no more than the password. */
export async function installSandbox({
  adminUrl,
  password,
}: {
  adminUrl: string;
  password: string;
}): Promise<{ SALES_READ_URL: string }> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "sales install" });
  await client.connect();
  try {
    await client.query("begin");
    // Roles are shared by all databases of a server; this lock is too, so that two installations take turns.
    await client.query("lock table pg_catalog.pg_authid in share row exclusive mode");
    await client.query(await readFile(new URL("sales.sql", import.meta.url), "utf8"));
    await client.query(`alter role sales_read password ${client.escapeLiteral(password)}`);
    await client.query("commit");
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.username = "sales_read";
  url.password = password;
  return { SALES_READ_URL: url.href };
}
