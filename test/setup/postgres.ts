import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbedded, stopEmbedded } from "../../src/store/embedded.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The administrator's connection string of the run's PostgreSQL; make a database of your own with `createTestDatabase`. */
    postgresAdminUrl: string;
  }
}

const prefix = "countersign-test-";

/** Starts one PostgreSQL for the whole run and returns what stops and removes it. Not durable: tests of crashes start their own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandoned();
  const directory = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  // Where root may not make user namespaces, PostgreSQL runs as another user, who has to get in.
  await chmod(directory, 0o755);
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
  const server = await startEmbedded({ directory, settings });
  project.provide("postgresAdminUrl", server.adminUrl);
  return () => remove(directory);
}

/** A run that was killed leaves its server behind, by design of the server; the next run ends it. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : 0;
    if (pid > 0 && !isAlive(pid)) await remove(join(tmpdir(), name)).catch(() => {});
  }
}

async function remove(directory: string): Promise<void> {
  await stopEmbedded({ directory });
  await rm(directory, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
