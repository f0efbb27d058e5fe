// The embedded PostgreSQL: real server programs from npm, one server per project folder, shared by all of its processes.
// It starts or adopts a server, stops it and tells its state. It must never serve data that is half made, never run two servers
// on one folder, and never end with the process that started it.
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { findData } from "./embedded/initialise.ts";
import { withLock } from "./embedded/lock.ts";
import { readPassword } from "./embedded/password.ts";
import { findPostmaster } from "./embedded/postmaster.ts";
import { adminUrl, host, patientProbe } from "./embedded/probe.ts";
import { serve } from "./embedded/serve.ts";
import { type StopOutcome, shutdown } from "./embedded/shutdown.ts";
import { type Patience, waitUntil } from "./embedded/wait.ts";

export type { StopOutcome } from "./embedded/shutdown.ts";

/** How to start: `directory` is the project's own folder, such as `.countersign`. */
export type EmbeddedOptions = {
  readonly directory: string;
  /** The port to listen on; by default the last one, or any that is free. A server that already runs keeps its own. */
  readonly port?: number;
  /** PostgreSQL settings for this start, over the durable defaults; not applied to a server that already runs. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long to wait in all, in milliseconds; recovery after a crash counts in. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

/** A running server. It belongs to the project, not to this process: it stays until somebody stops it. */
export type EmbeddedServer = {
  readonly adminUrl: string;
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
  /** True when the server was running already. */
  readonly adopted: boolean;
  /** Stops the server for every process that shares it. */
  stop(): Promise<void>;
};

/** The state of a project's server, from its files and processes, without connecting. */
export type EmbeddedStatus =
  | { readonly kind: "running"; readonly pid: number; readonly port: number | undefined; readonly dataDirectory: string }
  | { readonly kind: "stopped"; readonly isInitialised: boolean };

const defaultTimeoutMs = 60_000;

/**
 * Starts the project's PostgreSQL, or adopts the one that runs, and returns once it answers; initialises on first use.
 * Throws `database_start_failed`, `database_unavailable`, or `port_taken` when the given port is in use.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const patience = patienceOf(options);
  await mkdir(options.directory, { recursive: true });
  const directory = await realpath(options.directory);
  // Most starts find a server and need no lock.
  const running = await adopt(directory, patience);
  if (running !== undefined) return running;
  return withLock(lockOf(directory), patience, async () => {
    const adopted = await adopt(directory, patience);
    if (adopted !== undefined) return adopted;
    const service = { directory, port: options.port, settings: options.settings ?? {} };
    return server({ directory, adopted: false, ...(await serve(service, patience)) });
  });
}

/** Stops the project's server cleanly, whoever started it, and says whether one ran. */
export async function stopEmbedded({ directory }: { directory: string }): Promise<StopOutcome> {
  const path = await realpath(directory).catch(() => undefined);
  if (path === undefined || (await findData(path)) === undefined) return { kind: "not_running" };
  return withLock(lockOf(path), patienceOf({}), () => shutdown(path));
}

/** Tells whether the project's server runs, on which port and as which process. */
export async function embeddedStatus({ directory }: { directory: string }): Promise<EmbeddedStatus> {
  const data = await findData(directory);
  if (data === undefined) return { kind: "stopped", isInitialised: false };
  const found = await findPostmaster(data.path);
  if (found.kind !== "alive") return { kind: "stopped", isInitialised: true };
  return { kind: "running", pid: found.pid, port: found.port, dataDirectory: data.path };
}

/** Takes the running server, waiting while it starts, recovers or stops; undefined when none runs. */
async function adopt(directory: string, patience: Patience): Promise<EmbeddedServer | undefined> {
  const data = await findData(directory);
  if (data === undefined) return undefined;
  const probe = patientProbe();
  const found = await waitUntil(patience, () => lookForServer({ directory, dataDirectory: data.path, probe }));
  if (found === "absent") return undefined;
  if (found !== undefined) return server({ directory, dataDirectory: data.path, adopted: true, ...found });
  const message = `a server runs on \`${data.path}\` and does not answer; see \`${join(directory, "postgres.log")}\``;
  throw new CountersignError("database_unavailable", message, { facts: { dataDirectory: data.path } });
}

async function lookForServer({
  directory,
  dataDirectory,
  probe,
}: {
  directory: string;
  dataDirectory: string;
  probe: ReturnType<typeof patientProbe>;
}) {
  const found = await findPostmaster(dataDirectory);
  if (found.kind !== "alive") return "absent";
  if (!found.isReady || found.port === undefined) return undefined;
  const password = await readPassword(directory);
  const answer = await probe({ port: found.port, password, dataDirectory });
  if (answer.kind === "serving") return { port: found.port, password };
  if (answer.kind === "not_yet") return undefined;
  const message = `the server on port ${found.port} (process ${found.pid}) is not usable: ${answer.because}; stop it and start again`;
  throw new CountersignError("database_unavailable", message, { facts: { port: found.port, pid: found.pid } });
}

function server(found: {
  directory: string;
  dataDirectory: string;
  adopted: boolean;
  port: number;
  password: string;
}): EmbeddedServer {
  const { directory, dataDirectory, adopted, port, password } = found;
  const stop = async (): Promise<void> => {
    await stopEmbedded({ directory });
  };
  return { adminUrl: adminUrl(port, password), host, port, dataDirectory, adopted, stop };
}

function lockOf(directory: string): string {
  return join(directory, "postgres.lock");
}

function patienceOf({ timeoutMs, signal }: { timeoutMs?: number; signal?: AbortSignal }): Patience {
  return { deadlineMs: Date.now() + (timeoutMs ?? defaultTimeoutMs), signal };
}
