import { randomBytes } from "node:crypto";
import pg from "pg";

/** An empty database for one test file. */
export type TestDatabase = { readonly url: string; readonly name: string; drop(): Promise<void> };

/** Makes an empty database on the given server; `drop` also ends connections that are still open. */
export async function createTestDatabase(adminUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  // Copying the template's files is the quicker way on a server without fsync; template0 never has connections that would block it.
  await run(adminUrl, `create database ${name} template template0 strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, name, drop: () => run(adminUrl, `drop database if exists ${name} with (force)`) };
}

async function run(adminUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
