/**
 * LangGraph.js as a peer: a process that runs a graph of twelve trivial nodes with the Postgres checkpointer.
 * It reads JSON lines on stdin and answers each with one line on stdout; `benchmarks/overhead/peer.ts` is its only caller.
 *   {"run":{"concurrency":1,"runs":100,"tenants":1}}  ->  {"runs","seconds","cpuMs","p50Ms","p99Ms"}
 *   {"exit":true}                                      ->  ends
 *
 * Durability is the default of LangGraph.js 1.7, `async`: a checkpoint after every step, written while the next step runs.
 * `invoke` waits for the last write before it returns, so a run that is counted is a run whose checkpoints are committed.
 * (`exit` would save only the end, so a crash in the middle would lose the run; `sync` is slower than the default.)
 * The state is one channel per node, the kindest shape for this checkpointer: it stores only the channels that changed.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import pg from "pg";

const NODES = 12;
const SCHEMA = "peer_langgraph";
// What `fromConnString` gives. Tried in turn, 32 and 64 connections were no faster at concurrency 64: CPU is the limit.
const POOL = 10;

await serve();

async function serve() {
  const pool = new pg.Pool({ connectionString: process.env.PEER_DATABASE_URL, max: POOL });
  try {
    const graph = await openGraph({ pool, stateBytes: Number(process.env.PEER_STATE_BYTES) });
    answer({ ready: { name: "LangGraph.js", version: versionOf("langgraph"), checkpointer: versionOf("langgraph-checkpoint-postgres") } });
    for await (const line of createInterface({ input: process.stdin })) {
      const command = JSON.parse(line);
      if (command.exit) break;
      answer(await run(graph, command.run));
    }
    await pool.query(`drop schema if exists ${SCHEMA} cascade`);
  } catch (error) {
    answer({ error: String(error?.message ?? error) });
    process.exitCode = 1;
  } finally {
    await pool.end();
  }
}

async function openGraph({ pool, stateBytes }) {
  await pool.query(`drop schema if exists ${SCHEMA} cascade`);
  const checkpointer = new PostgresSaver(pool, undefined, { schema: SCHEMA });
  await checkpointer.setup();
  const names = Array.from({ length: NODES }, (_, index) => `node${String(index + 1).padStart(2, "0")}`);
  const slots = ["request", ...names.map(slotOf)];
  const graph = new StateGraph(Annotation.Root(Object.fromEntries(slots.map((slot) => [slot, Annotation()]))));
  for (const name of names) graph.addNode(name, () => ({ [slotOf(name)]: slotValue(name, Math.floor(stateBytes / NODES)) }));
  for (const [index, name] of names.entries()) graph.addEdge(index === 0 ? START : names[index - 1], name);
  graph.addEdge(names.at(-1), END);
  return graph.compile({ checkpointer });
}

async function run(graph, { concurrency, runs, tenants = 1 }) {
  const latencies = [];
  let started = 0;
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const lane = async () => {
    while (started < runs) {
      const tenant = `tenant-${started++ % tenants}`;
      const from = performance.now();
      const state = await graph.invoke({ request: "my laptop does not start" }, { configurable: { thread_id: `${tenant}:${randomUUID()}` } });
      latencies.push(performance.now() - from);
      if (Object.keys(state).length !== NODES + 1) throw new Error(`a run ended with ${Object.keys(state).length} slots`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const seconds = (performance.now() - begin) / 1000;
  const used = process.cpuUsage(cpu);
  latencies.sort((left, right) => left - right);
  return { runs, seconds, cpuMs: (used.user + used.system) / 1000, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) };
}

function slotOf(name) {
  return `${name}Slot`;
}

/** A ruling-like object whose JSON, with its key, has about `bytes` characters. */
function slotValue(name, bytes) {
  const value = { kind: "pass", node: name, text: "" };
  const empty = JSON.stringify({ [slotOf(name)]: value }).length - 1;
  return { ...value, text: "the device is under warranty until the end of the year; ".repeat(8).slice(0, Math.max(0, bytes - empty)) };
}

function quantile(sorted, q) {
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0;
}

function versionOf(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/@langchain/${name}/package.json`, import.meta.url), "utf8")).version;
}

function answer(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
