import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, readlink, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { killIfThere, processesIn, until } from "../postgres/embedded/server.ts";

/** The program as a user runs it. */
const program = fileURLToPath(new URL("../../bin/countersign.mjs", import.meta.url));
const repository = fileURLToPath(new URL("../../", import.meta.url));

/** How long one test may take on a busy machine: a start takes a few seconds on a quiet one. */
export const patience = { timeout: 180_000 };

/** How to run a command: variables beside the usual ones, another Node, another user. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly node?: string;
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs; `output` is what it has printed so far. */
export interface Begun {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<Ended>;
}

const begun = new Set<ChildProcess>();

/** Begins a command in a process group of its own. */
export function begin(args: readonly string[], { env = {}, node = process.execPath, user }: RunOptions = {}): Begun {
  const { PATH = "", TMPDIR } = process.env;
  // The home of whoever runs the tests need not be one that another user can read.
  const child = spawn(node, [program, ...args], {
    ...user,
    cwd: repository,
    detached: true,
    env: { PATH, HOME: "/", ...(TMPDIR === undefined ? {} : { TMPDIR }), FORCE_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  begun.add(child);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code]): Ended => ({ code, stdout, stderr }));
  return { child, ended, output: () => stdout + stderr };
}

/** Runs a command to its end. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return begin(args, options).ended;
}

/** A start that is ready. */
export interface Started extends Begun {
  readonly url: string;
}

/** Starts an installation and waits until it is ready; throws what it said where it ended instead. */
export async function started(
  directory: string,
  { port = "0", ...options }: RunOptions & { port?: string } = {},
): Promise<Started> {
  const start = begin(["start", "--directory", directory, "--port", port], options);
  let isOver = false;
  start.ended.then(() => {
    isOver = true;
  });
  await until(async () => isOver || /^ready /m.test(start.output()));
  const url = /^ready (\S+)$/m.exec(start.output())?.[1];
  if (url === undefined) throw new Error(`it did not start: ${start.output()}`);
  return { ...start, url };
}

/** No process has this number. */
const missing = 2 ** 30;

/** What `start` wrote down of its processes. */
export async function processesOf(
  directory: string,
): Promise<{ start: number; serve: number; desk: number; work: number; ingest: number; all: number[] }> {
  const file: { start: { pid: number }; children: { pid: number }[] } = JSON.parse(
    await readFile(join(directory, "run.json"), "utf8"),
  );
  const children = file.children.map(({ pid }) => pid);
  const [serve = missing, desk = missing, work = missing, ingest = missing] = children;
  // Those alone that are there: 0 would stand for the whole group of the tests.
  return { start: file.start.pid, serve, desk, work, ingest, all: [file.start.pid, ...children] };
}

/** The processes of an installation's PostgreSQL. */
export async function databaseOf(directory: string): Promise<number[]> {
  return processesIn(join(await realpath(directory), "postgres"));
}

/** The processes that write into an installation's logs, whether `start` wrote them down or not. */
export async function loggersOf(directory: string): Promise<number[]> {
  const folder = await realpath(directory).catch(() => directory);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const outputs = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/fd/1`).catch(() => "")));
  return pids.filter((_, place) => /^(?:serve|desk|work|ingest)\.log$/.test(relative(folder, outputs[place] ?? ""))).map(Number);
}

/** The environment of a process, as the system holds it. */
export async function environmentOf(pid: number): Promise<Record<string, string>> {
  const text = await readFile(`/proc/${pid}/environ`, "utf8");
  return Object.fromEntries(
    text
      .split("\0")
      .flatMap((line) => (line === "" ? [] : [[line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]])),
  );
}

/** Says whether the desk answers. */
export async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  );
}

/** A new folder for one installation. */
export async function newFolder(name = ".countersign"): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "countersign-start-"));
  // Another user has to get in where a test starts as one.
  await chmod(root, 0o755);
  return join(root, name);
}

/** Ends whatever of an installation still runs, and removes its folder. */
export async function remove(directory: string): Promise<void> {
  for (const child of begun) if (child.exitCode === null && child.signalCode === null) killIfThere(child.pid ?? missing);
  begun.clear();
  await run(["stop", "--directory", directory]);
  await rm(join(directory, ".."), { recursive: true, force: true });
}
