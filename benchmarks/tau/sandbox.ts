/**
 * The system of record that is written to: documents by path, in a database of its own with three logins. The state that every task
 * begins with lies there once per business; a world holds what differs from it, and a tenant has the world of its name.
 */
import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Json, JsonObject } from "../../src/contract/json.ts";
import type { Changes, Original } from "./book.ts";
import { type Domain, domains } from "./domains.ts";

/** A document as it lies there. */
export interface Stored {
  readonly path: string;
  readonly version: number;
  readonly body: JsonObject;
}

/** The three logins, as connection strings: one that the deciding half reads with, and the acting half's two. */
export type SandboxUrls = Readonly<Record<(typeof logins)[number], string>>;

const logins = ["reads", "writes", "observes"] as const;
const grants = { reads: "select", writes: "select, insert, update", observes: "select" } as const;

/** Makes the sandbox and fills it; the login must be the owner's. */
export async function installSandbox({
  adminUrl,
  originals,
}: {
  adminUrl: string;
  originals: Readonly<Record<Domain, Original>>;
}): Promise<SandboxUrls> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(`
      create schema sandbox;
      create table sandbox.document (world text, path text, version int not null, body jsonb not null, primary key (world, path));
      create table sandbox.request (world text, key text, primary key (world, key));`);
    for (const domain of domains) await fill(client, { domain, original: originals[domain] });
    const urls: [string, string][] = [];
    for (const login of logins) urls.push([login, await addLogin(client, { login, adminUrl })]);
    return Object.fromEntries(urls) as SandboxUrls; // one for each login
  } finally {
    await client.end();
  }
}

async function fill(client: pg.Client, { domain, original }: { domain: Domain; original: Original }): Promise<void> {
  const bodies = original.paths.map((path) => JSON.stringify(original.read(path)));
  await client.query(
    "insert into sandbox.document select $1, path, 0, body::jsonb from unnest($2::text[], $3::text[]) as given (path, body)",
    [domain, original.paths, bodies],
  );
}

async function addLogin(
  client: pg.Client,
  { login, adminUrl }: { login: (typeof logins)[number]; adminUrl: string },
): Promise<string> {
  const name = `sandbox_${login}`;
  const password = randomBytes(12).toString("hex");
  await client.query(`
    create role ${name} login password '${password}';
    grant usage on schema sandbox to ${name};
    grant ${grants[login]} on all tables in schema sandbox to ${name};`);
  const url = new URL(adminUrl);
  url.username = name;
  url.password = password;
  return url.href;
}

type Queryable = Pick<pg.ClientBase, "query">;

/** Documents of a world by their paths, in the order of the paths. */
export async function readPaths(
  client: Queryable,
  { world, paths }: { world: string; paths: readonly string[] },
): Promise<readonly Stored[]> {
  return select(client, { world, where: "path = any($2)", value: paths });
}

/** All documents of a collection in a world. */
export async function readCollection(
  client: Queryable,
  { world, collection }: { world: string; collection: string },
): Promise<readonly Stored[]> {
  return select(client, { world, where: "path like $2 || '/%'", value: collection });
}

/** The products that have any of the given variants. */
export async function readHolders(
  client: Queryable,
  { world, items }: { world: string; items: readonly string[] },
): Promise<readonly Stored[]> {
  return select(client, { world, where: "path like 'products/%' and body->'variants' ?| $2", value: items });
}

async function select(
  client: Queryable,
  { world, where, value }: { world: string; where: string; value: Json },
): Promise<readonly Stored[]> {
  // What a world holds stands before what every world begins with, whose name is the beginning of the world's.
  const { rows } = await client.query<Stored>(
    `select distinct on (path) path, version, body from sandbox.document
     where world = any($1) and ${where} order by path, length(world) desc`,
    [[world.split(".")[0], world], value],
  );
  return rows;
}

/** Runs work in one transaction that has the world for itself. */
export async function withWorld<T>(pool: pg.Pool, world: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [world]);
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (thrown) {
    await client.query("rollback");
    throw thrown;
  } finally {
    client.release();
  }
}

/** Notes a request by its key; false where it was noted before. */
export async function noteRequest(client: Queryable, { world, key }: { world: string; key: string }): Promise<boolean> {
  const { rowCount } = await client.query("insert into sandbox.request values ($1, $2) on conflict do nothing", [world, key]);
  return rowCount === 1;
}

/** Puts documents into a world, each under its next version. */
export async function putDocuments(client: Queryable, { world, changes }: { world: string; changes: Changes }): Promise<void> {
  for (const [path, body] of changes) {
    await client.query(
      `insert into sandbox.document
       select $1, $2, coalesce(max(version), 0) + 1, $3 from sandbox.document where world = any($4) and path = $2
       on conflict (world, path) do update set version = excluded.version, body = excluded.body`,
      [world, path, JSON.stringify(body), [world.split(".")[0], world]],
    );
  }
}

/** What a world holds beside the state that it began with. */
export async function changesOf(client: Queryable, world: string): Promise<Changes> {
  const { rows } = await client.query<Stored>("select path, version, body from sandbox.document where world = $1", [world]);
  return new Map(rows.map(({ path, body }) => [path, body]));
}
