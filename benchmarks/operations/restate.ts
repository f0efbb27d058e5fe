/** Restate in the comparison: its server with its own durable log, services in worker processes, invoked through the ingress. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { CountersignError } from "../../src/contract/errors.ts";
import { type Child, startChild, toldBy, toldSchema } from "./child.ts";
import { cpuMsOf } from "./cpu.ts";
import { checkPeer, peersFolder, versionOf } from "./peers.ts";
import type { Stage, System } from "./system.ts";

/** Tried in turn: 64, 256 and 512 invocations at once; 24 partitions, the default, which took nearly twice the CPU on few cores. */
const concurrency = 256;
const partitions = 4;
const startTimeoutMs = 30_000;
const stopTimeoutMs = 10_000;

/** Looks whether Restate's server program is there; a server is started for each stretch, on an empty folder. */
export async function openRestate(): Promise<System> {
  const program = `${peersFolder}node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;
  const [server, sdk] = [await versionOf("@restatedev/restate-server"), await versionOf("@restatedev/restate-sdk")];
  return {
    name: "restate",
    version: `${server}, SDK ${sdk}`,
    setUp: `one server, ${partitions} partitions, flushes on; a handler with two \`ctx.run\`, a service for each process, ${concurrency} invocations at once`,
    openStage: async (workers) => openStage(await startRestate(program), workers),
    close: async () => {},
  };
}

interface RestateServer {
  readonly ingressUrl: string;
  readonly adminUrl: string;
  readonly pid: number;
  readonly close: () => Promise<void>;
}

async function openStage(server: RestateServer, count: number): Promise<Stage> {
  const env = { PEER_INGRESS_URL: server.ingressUrl };
  const start = () => startChild({ file: "restate.mjs", cwd: peersFolder, env });
  const invoker = start();
  const workers: Child[] = [];
  const services = Array.from({ length: count }, (_, at) => `operation${at + 1}`);
  const close = async () => {
    await Promise.all([invoker, ...workers].map((child) => child.stop()));
    await server.close();
  };
  try {
    for (const service of services) {
      const worker = start();
      workers.push(worker);
      const { port } = await worker.ask("work", { service }, z.object({ port: z.number() }));
      await register(server.adminUrl, `http://127.0.0.1:${port}`);
    }
  } catch (thrown) {
    await close();
    throw thrown;
  }
  const done = async () => (await invoker.ask("tell", {}, toldSchema)).verified;
  return {
    prepare: async () => {},
    fill: (operations) => invoker.ask("fill", { count: operations, services, concurrency }),
    open: () => invoker.ask("open"),
    done,
    settle: async () => {},
    told: () => toldBy(workers),
    use: async () => ({ cpuMs: await cpuMsOf(server.pid), walBytes: null, durableCommits: null }),
    check: async (total) => checkPeer({ name: "restate", total, done: await done(), told: await toldBy(workers) }),
    trouble: async () => JSON.stringify(await toldBy(workers)),
    close,
  };
}

async function startRestate(program: string): Promise<RestateServer> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-bench-restate-"));
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
  const child = spawn(program, ["--no-logo", "--base-dir", directory, "--node-name", "bench"], {
    cwd: directory,
    env: {
      PATH: process.env["PATH"],
      // It asks for a newer version of itself, which is no fault of the measurement.
      RUST_LOG: "error,octocrab=off",
      RESTATE_DISABLE_TELEMETRY: "true",
      RESTATE_DEFAULT_NUM_PARTITIONS: String(partitions),
      RESTATE_LISTEN_MODE: "tcp",
      RESTATE_BIND_IP: "127.0.0.1",
      RESTATE_BIND_PORT: String(node),
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(child, "exit").catch(() => {});
  const close = async () => {
    const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
    if (child.kill("SIGTERM")) await exited;
    clearTimeout(timer);
    await rm(directory, { recursive: true, force: true });
  };
  const urls = { ingressUrl: `http://127.0.0.1:${ingress}`, adminUrl: `http://127.0.0.1:${admin}` };
  try {
    await healthy([`${urls.adminUrl}/health`, `${urls.ingressUrl}/restate/health`]);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { ...urls, pid: child.pid ?? 0, close };
}

async function healthy(urls: readonly string[]): Promise<void> {
  const until = Date.now() + startTimeoutMs;
  for (const url of urls)
    while (!(await fetch(url).catch(() => null))?.ok) {
      if (Date.now() > until) throw new CountersignError("service_unavailable", "the Restate server did not start in time");
      await pause(50);
    }
}

async function register(adminUrl: string, uri: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${adminUrl}/deployments`, { method: "POST", headers, body: JSON.stringify({ uri }) });
  if (!answer.ok)
    throw new CountersignError("service_unavailable", `Restate refused a service: ${(await answer.text()).slice(0, 300)}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address !== null && typeof address === "object") return address.port;
  throw new CountersignError("internal", "a listening socket has no port");
}
