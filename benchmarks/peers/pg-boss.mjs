/**
 * pg-boss alone as a peer: two queues, `apply` and `verify`, a durable record after each step. `benchmarks/operations` is its only caller.
 * One process is started to fill, others to work:
 *   prepare {}             makes the schema and both queues
 *   fill    {count}        puts so many jobs into `apply`, in a transaction that stays open; `open {}` commits it
 *   work    {lanes,batch}  begins to work; `tell {}` says what was done so far
 *
 * A lane fetches a batch of `apply`, does the instant step for each, and in one transaction sends the batch to `verify` and completes
 * it; then a batch of `verify`, does the instant step, and completes it. `fetch` and `complete` are called directly, since `work` polls
 * no faster than every half second while there is little to do; supervision and schedules are off. So all that is paid for is four commits a
 * batch, two for each step, and nothing waits.
 */
import pg from "pg";
import { PgBoss } from "pg-boss";
import { cpuMs, serve } from "./serve.mjs";

const IDLE_MS = 5;
const done = { applied: 0, verified: 0 };
const pool = new pg.Pool({ connectionString: process.env.PEER_DATABASE_URL, max: 8 });
const boss = new PgBoss({ connectionString: process.env.PEER_DATABASE_URL, max: 8, supervise: false, schedule: false });
boss.on("error", (error) => {
  throw error;
});
let filling = null;
let isStopping = false;
let lanes = [];

await boss.start();
await serve(
  {
    prepare: async () => {
      for (const name of ["apply", "verify"]) await boss.createQueue(name, { retryLimit: 2, expireInSeconds: 900 });
    },
    fill: async ({ count }) => {
      filling = await pool.connect();
      await filling.query("begin");
      for (let from = 0; from < count; from += 1000) {
        const size = Math.min(1000, count - from);
        await boss.insert("apply", Array.from({ length: size }, (_, place) => ({ data: paramsOf(from + place) })), { db: within(filling) });
      }
    },
    open: async () => {
      await filling.query("commit");
      filling.release();
    },
    work: async ({ lanes: count, batch }) => {
      lanes = Array.from({ length: count }, () => lane(batch));
    },
    tell: async () => ({ cpuMs: cpuMs(), ...done }),
  },
  async () => {
    isStopping = true;
    await Promise.all(lanes);
    await boss.stop({ graceful: false });
    await pool.end();
  },
);

/** What a job carries: about what the params of our operation are. */
function paramsOf(number) {
  return { device: `lt-${number}`, note: "The battery is swollen; the warranty has run out.", days: 5 };
}

async function lane(batchSize) {
  const target = new Map();
  while (!isStopping) {
    const moved = (await applyBatch(batchSize, target)) + (await verifyBatch(batchSize, target));
    if (moved === 0) await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  }
}

async function applyBatch(batchSize, target) {
  const jobs = await boss.fetch("apply", { batchSize });
  if (jobs.length === 0) return 0;
  for (const { data } of jobs) target.set(data.device, data.note);
  done.applied += jobs.length;
  const client = await pool.connect();
  try {
    await client.query("begin");
    const db = within(client);
    await boss.insert("verify", jobs.map(({ data }) => ({ data })), { db });
    await boss.complete("apply", jobs.map(({ id }) => id), null, { db });
    await client.query("commit");
  } finally {
    client.release();
  }
  return jobs.length;
}

async function verifyBatch(batchSize, target) {
  const jobs = await boss.fetch("verify", { batchSize });
  if (jobs.length === 0) return 0;
  // Another process may have applied it: the target of a peer is as instant as it can be, so nothing is asked for there.
  for (const { data } of jobs) done.verified += (target.get(data.device) ?? data.note) === data.note ? 1 : 0;
  await boss.complete("verify", jobs.map(({ id }) => id));
  return jobs.length;
}

function within(client) {
  return { executeSql: (text, values) => client.query(text, values) };
}
