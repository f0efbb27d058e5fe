/** The peers in the comparison: each is a program of its own over `benchmarks/peers`, told over JSON lines what to do. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CountersignError } from "../../src/contract/errors.ts";
import { type Child, startChild, toldBy } from "./child.ts";
import { type Store, startServer } from "./server.ts";
import type { Stage, System, Told } from "./system.ts";

/** The folder of the peers' programs and packages. */
export const peersFolder = fileURLToPath(new URL("../peers/", import.meta.url));

/** A peer over PostgreSQL: how it is told to work, and how what it has done is counted. */
export interface PostgresPeer {
  readonly name: string;
  readonly package: string;
  readonly file: string;
  readonly setUp: string;
  readonly work: object;
  readonly doneSql: string;
}

/** pg-boss alone. Tried in turn: batches of 100 to 1,000 and one to four lanes a process. */
export const pgBoss: PostgresPeer = {
  name: "pg-boss",
  package: "pg-boss",
  file: "pg-boss.mjs",
  setUp:
    "two queues; per batch one transaction sends on and completes; batches of 250, two lanes a process, no pause between batches",
  work: { lanes: 2, batch: 250 },
  doneSql: "select count(*) from pgboss.job where name = 'verify' and state = 'completed'",
};

/** DBOS over its queue. Tried in turn: 20 to 300 at once a process, a poll every 10 to 100 ms. */
export const dbos: PostgresPeer = {
  name: "dbos",
  package: "@dbos-inc/dbos-sdk",
  file: "dbos.mjs",
  setUp: "a workflow of two steps from a queue polled every 50 ms; 100 at once a process, 20 connections",
  work: { concurrency: 100 },
  doneSql: "select count(*) from dbos.workflow_status where status = 'SUCCESS'",
};

/** Starts a PostgreSQL for one peer. */
export async function openPostgresPeer(peer: PostgresPeer): Promise<System> {
  const version = await versionOf(peer.package);
  const server = await startServer();
  return {
    ...{ name: peer.name, version, setUp: peer.setUp, close: server.close },
    openStage: async (workers) => openStage({ peer, store: await server.newDatabase(), workers }),
  };
}

/** The version of an installed package of the peers. */
export async function versionOf(name: string): Promise<string> {
  const text = await readFile(`${peersFolder}node_modules/${name}/package.json`, "utf8");
  const { version }: { version?: unknown } = JSON.parse(text);
  if (typeof version === "string") return version;
  throw new CountersignError("internal", `the package \`${name}\` says no version`);
}

async function openStage({ peer, store, workers: count }: { peer: PostgresPeer; store: Store; workers: number }): Promise<Stage> {
  const start = (role: "fill" | "work") =>
    startChild({
      file: peer.file,
      cwd: peersFolder,
      env: { PEER_DATABASE_URL: store.url, PEER_ROLE: role, NODE_NO_WARNINGS: "1" },
    });
  const filler = start("fill");
  const workers: Child[] = [];
  const close = async () => {
    await Promise.all([filler, ...workers].map((child) => child.stop()));
    await store.close();
  };
  try {
    await filler.ask("prepare");
    for (let at = 0; at < count; at += 1) workers.push(start("work"));
    await Promise.all(workers.map((worker) => worker.ask("work", peer.work)));
  } catch (thrown) {
    await close();
    throw thrown;
  }
  const done = () => store.count(peer.doneSql);
  return {
    // No part of the comparison, and kind to the planner.
    prepare: async () => void (await store.owner.query("vacuum analyze")),
    fill: (operations) => filler.ask("fill", { count: operations }),
    open: () => filler.ask("open"),
    done,
    settle: async () => {},
    told: () => toldBy(workers),
    use: store.use,
    check: async (total) => checkPeer({ name: peer.name, total, done: await done(), told: await toldBy(workers) }),
    trouble: async () => JSON.stringify(await toldBy(workers)),
    close,
  };
}

/** Throws unless a peer did what it was given. It may have run a step twice; that is its promise, and no fault here. */
export function checkPeer({ name, total, done, told }: { name: string; total: number; done: number; told: Told }): void {
  if (done === total && told.applied >= total) return;
  throw new CountersignError("internal", `${name} ended ${done} of ${total} operations and applied ${told.applied}`);
}
