/**
 * DBOS as a peer: a workflow of two steps, each with its durable record. `benchmarks/operations` is its only caller.
 *   prepare {}                  makes the system database
 *   fill    {count}             enqueues so many workflows, in a transaction that stays open; `open {}` commits it
 *   work    {concurrency}       begins to work; `tell {}` says what was done so far
 *
 * Workflows are started by the queue, the way DBOS shares work between processes; it is polled every 50 ms (a second by default, and
 * with 10 ms two processes cost each other more than the wait). Workflows that a process starts itself, without the queue, were slower:
 * four commits each instead of three.
 */
import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import { cpuMs, serve } from "./serve.mjs";

const QUEUE = "operations";
const POLL_MS = 50;
const POOL = 20;
const systemDatabaseUrl = process.env.PEER_DATABASE_URL;
const done = { applied: 0, verified: 0 };
const target = new Map();
let client = null;
let filling = null;

const operation = DBOS.registerWorkflow(
  async (params) => {
    await DBOS.runStep(async () => apply(params), { name: "apply" });
    return DBOS.runStep(async () => verify(params), { name: "verify" });
  },
  { name: "operation" },
);

DBOS.setConfig({
  name: "operations",
  systemDatabaseUrl,
  systemDatabasePoolSize: POOL,
  // One version for all processes, or each would take only what itself has enqueued; `executorID` tells them apart.
  applicationVersion: "1",
  executorID: `worker-${process.pid}`,
  logLevel: "error",
  listenQueues: process.env.PEER_ROLE === "work" ? [QUEUE] : ["none"],
});
await DBOS.launch();

await serve(
  {
    prepare: async () => {
      client = await DBOSClient.create({ systemDatabaseUrl, applicationName: "operations" });
    },
    fill: async ({ count }) => {
      filling = new pg.Client({ connectionString: systemDatabaseUrl });
      await filling.connect();
      await filling.query("begin");
      const options = { queueName: QUEUE, workflowName: "operation", appVersion: "1" };
      for (let number = 0; number < count; number += 1) await client.enqueueInTransaction(filling, options, paramsOf(number));
    },
    open: async () => {
      await filling.query("commit");
      await filling.end();
    },
    work: async ({ concurrency }) => {
      await DBOS.registerQueue(QUEUE, { workerConcurrency: concurrency, minPollingIntervalMs: POLL_MS, onConflict: "always_update" });
    },
    tell: async () => ({ cpuMs: cpuMs(), ...done }),
  },
  async () => {
    await client?.destroy();
    await DBOS.shutdown();
  },
);

function paramsOf(number) {
  return { device: `lt-${number}`, note: "The battery is swollen; the warranty has run out.", days: 5 };
}

function apply({ device, note }) {
  target.set(device, note);
  done.applied += 1;
  return { targetId: device };
}

function verify({ device, note }) {
  if (target.get(device) !== note) throw new Error("applied elsewhere");
  done.verified += 1;
  return { verdict: "complete" };
}
