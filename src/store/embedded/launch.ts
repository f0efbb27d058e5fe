import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { CountersignError } from "../../contract/errors.ts";
import { type Binaries, binary } from "./binaries.ts";
import { findPostmaster } from "./postmaster.ts";
import { host, patientProbe } from "./probe.ts";
import { type Account, spawnForm } from "./run.ts";
import { type Patience, waitUntil } from "./wait.ts";

/** All that one attempt to start a server needs. */
export type Launch = {
  readonly directory: string;
  readonly dataDirectory: string;
  readonly binaries: Binaries;
  readonly account: Account;
  readonly password: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
};

/** How an attempt ended: serving, or gone again because of something that may pass. */
export type Launched =
  | { readonly kind: "serving" }
  | { readonly kind: "port_taken" }
  /** Another server, or a process of a killed one, still holds the data. */
  | { readonly kind: "data_held"; readonly lastLines: string };

/**
 * Starts a server in a session of its own, so that it outlives us, and waits until it answers.
 * Throws `database_start_failed` when it ends for another reason or is not there by the deadline; then none of ours is left running.
 */
export async function launch(order: Launch, patience: Patience): Promise<Launched> {
  const log = join(order.directory, "postgres.log");
  await turnLog(log);
  const from = await sizeOf(log);
  const child = await spawnServer(order, log);
  const look = lookAt(order, child);
  try {
    const isServing = await waitUntil(patience, look.isServingOrGone);
    if (isServing === true) return { kind: "serving" };
    const lastLines = await readFrom(log, from);
    if (isServing === undefined) throw startFailed(`was not ready in time (${look.last()})`, log, lastLines);
    if (/could not bind|could not create any TCP\/IP sockets/.test(lastLines)) return { kind: "port_taken" };
    if (/lock file "postmaster.pid" already exists|pre-existing shared memory block/.test(lastLines))
      return { kind: "data_held", lastLines };
    throw startFailed(`ended with ${child.exitCode ?? child.signalCode}`, log, lastLines);
  } catch (error) {
    await endChild(child);
    throw error;
  }
}

/** Modest memory, full durability (`fsync`, `synchronous_commit` and `full_page_writes` stay on), and no data in the log. */
function serverSettings({ port, settings }: Launch): Readonly<Record<string, string>> {
  return {
    listen_addresses: host,
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "64MB",
    huge_pages: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    log_line_prefix: "%m [%p] ",
    // Errors, their details and their statements quote the rows they are about; personal data has no place in a log.
    // `log` is above `error`: the client gets its errors, the log gets what concerns the server.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    ...settings,
    port: String(port),
  };
}

async function spawnServer(order: Launch, log: string): Promise<ChildProcess> {
  const { port, ...others } = serverSettings(order);
  const settings = Object.entries(others).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // `-D` comes first: by it other processes know whose server this is.
  const args = ["-D", order.dataDirectory, "-p", String(port), ...settings];
  const form = spawnForm({ command: binary(order.binaries, "postgres"), args, account: order.account });
  const logFile = await open(log, "a", 0o600);
  try {
    const child = spawn(form.command, form.args, { ...form.options, detached: true, stdio: ["ignore", logFile.fd, logFile.fd] });
    await once(child, "spawn");
    child.unref();
    return child;
  } catch (cause) {
    throw new CountersignError("database_start_failed", `cannot run \`${form.command}\``, {
      facts: { program: form.command },
      cause,
    });
  } finally {
    await logFile.close();
  }
}

/** Looks at a server that is starting: serving, gone again, or neither yet, and why not at the last look. */
function lookAt(order: Launch, child: ChildProcess): { isServingOrGone: () => Promise<boolean | undefined>; last: () => string } {
  const probe = patientProbe();
  let last = "it was not looked at";
  const isServingOrGone = async (): Promise<boolean | undefined> => {
    if (child.exitCode !== null || child.signalCode !== null) return false;
    const found = await findPostmaster(order.dataDirectory);
    last = "it does not say that it is ready";
    if (found.kind !== "alive" || found.pid !== child.pid || !found.isReady) return undefined;
    const answer = await probe(order);
    if (answer.kind === "serving") return true;
    last = answer.because;
    return undefined;
  };
  return { isServingOrGone, last: () => last };
}

/** A fast shutdown, so that a start which was given up leaves no server behind. */
async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  child.kill("SIGINT");
  await once(child, "exit");
}

function startFailed(what: string, log: string, lastLines: string): CountersignError {
  const said = lastLines.trim().split("\n").slice(-3).join(" | ");
  return new CountersignError("database_start_failed", `PostgreSQL ${what}; it said: ${said}; see \`${log}\``, {
    facts: { log },
  });
}

const largestLogBytes = 10 * 1024 * 1024;

/** Keeps one older log: the server appends for as long as it runs, so a start is the time to begin a new one. */
async function turnLog(log: string): Promise<void> {
  if ((await sizeOf(log)) > largestLogBytes) await rename(log, `${log}.1`);
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

async function readFrom(file: string, start: number): Promise<string> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(8192), position: start });
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
