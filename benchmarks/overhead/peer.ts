/**
 * LangGraph.js beside us: a process of its own over `benchmarks/peers`, so that its CPU and its packages stay apart.
 * Its packages are installed on first use, which is the only time a benchmark needs the network.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { CountersignError } from "../../src/contract/errors.ts";
import { installPeers } from "../peers/install.ts";

const folder = fileURLToPath(new URL("../peers/", import.meta.url));
const STOP_TIMEOUT_MS = 10_000;
const WARM_UP = { concurrency: 4, runs: 24 };

const readySchema = z.object({ ready: z.object({ name: z.string(), version: z.string(), checkpointer: z.string() }) });
const resultSchema = z.object({ runs: z.number(), seconds: z.number(), cpuMs: z.number(), p50Ms: z.number(), p99Ms: z.number() });

/** What a stretch of runs took; `cpuMs` is the peer's own process, without the database. */
export type PeerResult = z.infer<typeof resultSchema>;

/** A running peer; stop it. */
export interface Peer {
  readonly name: string;
  readonly version: string;
  readonly checkpointer: string;
  /** Runs the graph `runs` times, `concurrency` at once, each in a thread of its own. One call at a time. */
  readonly run: (load: { concurrency: number; runs: number; tenants?: number }) => Promise<PeerResult>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts and warms up LangGraph.js with its Postgres checkpointer, installing it first if it is missing; null, with a
 * notice, where it cannot be installed. The role of `databaseUrl` must be allowed to create a schema: `peer_langgraph` is
 * made at the start and dropped at the end. Throws `service_unavailable` if an installed peer does not start.
 */
export async function startPeer({
  databaseUrl,
  stateBytes = 2048,
  notice = (line) => process.stderr.write(`${line}\n`),
}: {
  databaseUrl: string;
  stateBytes?: number;
  notice?: (line: string) => void;
}): Promise<Peer | null> {
  if (!(await installPeers(folder, notice))) return null;
  const child = spawn(process.execPath, [...process.execArgv, "langgraph.mjs"], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      PEER_DATABASE_URL: databaseUrl,
      PEER_STATE_BYTES: String(stateBytes),
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  try {
    const ask = conversation(child);
    const { ready } = await ask(null, readySchema);
    await ask({ run: WARM_UP }, resultSchema);
    return { ...ready, run: (run) => ask({ run }, resultSchema), stop: () => stop(child, exited) };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

/** One question at a time over JSON lines; every answer is parsed, and an end of the process is an answer too. */
function conversation(child: ChildProcess): <T>(question: object | null, schema: z.ZodType<T>) => Promise<T> {
  if (!child.stdin || !child.stdout) throw new CountersignError("internal", "the peer was started without pipes");
  const { stdin, stdout } = child;
  // A peer that has died is noticed by its missing answer; the broken pipe says nothing more.
  stdin.on("error", () => {});
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return async (question, schema) => {
    if (question) stdin.write(`${JSON.stringify(question)}\n`);
    const line = await lines.next();
    if (line.done) throw new CountersignError("service_unavailable", "the peer ended without an answer; its reason is on stderr");
    const parsed = schema.safeParse(jsonOf(line.value));
    if (parsed.success) return parsed.data;
    throw new CountersignError("service_unavailable", `the peer answered \`${line.value.slice(0, 500)}\``);
  };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Not JSON, so no schema accepts it and the caller shows the line.
    return undefined;
  }
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.stdin?.end(`${JSON.stringify({ exit: true })}\n`);
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}
