/** A durable PostgreSQL for one system alone: the same settings for each, an empty database for each stretch. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbedded } from "../../src/store/embedded.ts";
import { walSnapshot } from "../overhead/statistics.ts";
import { cpuMsOf } from "./cpu.ts";
import type { ServerUse } from "./system.ts";

/** A running server; close it. */
export interface Server {
  readonly adminUrl: string;
  /** A folder that is removed with the server. */
  readonly directory: string;
  /** Creates a database, from a template where one is named. */
  readonly newDatabase: (template?: string) => Promise<Store>;
  readonly close: () => Promise<void>;
}

/** One database under the owner's login; close it. */
export interface Store {
  readonly name: string;
  readonly url: string;
  readonly owner: pg.Client;
  readonly count: (sql: string) => Promise<number>;
  /** What the whole server used; one system has it to itself. */
  readonly use: () => Promise<ServerUse>;
  readonly close: () => Promise<void>;
}

// Room for the whole run, so that a checkpoint, and the full pages after it, falls into no stretch. Flushes are on, as they are by default.
const settings = { max_wal_size: "16GB", checkpoint_timeout: "1h" };

/** Starts a server in a temporary folder. */
export async function startServer(): Promise<Server> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-bench-"));
  const server = await startEmbedded({ directory, settings });
  const pid = Number((await readFile(join(server.dataDirectory, "postmaster.pid"), "utf8")).split("\n")[0]);
  let made = 0;
  return {
    adminUrl: server.adminUrl,
    directory,
    newDatabase: async (template = "template1") => {
      made += 1;
      const name = `stretch_${made}`;
      await run(server.adminUrl, `create database ${name} template ${template}`);
      return openStore({ name, url: databaseUrl(server.adminUrl, name), pid });
    },
    close: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The same server's database of another name. */
export function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
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

async function openStore({ name, url, pid }: { name: string; url: string; pid: number }): Promise<Store> {
  const owner = new pg.Client({ connectionString: url, application_name: "countersign bench" });
  await owner.connect();
  return {
    name,
    url,
    owner,
    count: async (sql) => Number((await owner.query<{ count: string }>(sql)).rows[0]?.count),
    use: async () => {
      const { walBytes, nextXid } = await walSnapshot(owner);
      return { cpuMs: await cpuMsOf(pid), walBytes: Number(walBytes), durableCommits: Number(nextXid) };
    },
    close: () => owner.end(),
  };
}
