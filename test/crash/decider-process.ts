/** Runs one decider as a child process, listens to what it says, and kills it where it cannot do that itself. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { query, until } from "../postgres/embedded/server.ts";
import type { House } from "./decider-house.ts";
import type { Job, Kill, KillPoint } from "./decider-plan.ts";
import { openWire, type Tap, type Wire } from "./decider-wire.ts";

/** What a decider tells while it works. */
export type Said =
  | { readonly what: "opened" | "closing" | "waiting"; readonly decisionId: string }
  | { readonly what: "closed"; readonly decisionId: string; readonly entryId: string; readonly proposalDigest: string | null }
  | { readonly what: "refused"; readonly decisionId: string; readonly code: string }
  | { readonly what: "dying"; readonly point: KillPoint };

/** What became of a decider. */
export interface Report {
  readonly job: Job;
  readonly said: readonly Said[];
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly stderr: string;
  /** The point at which it was killed, by its own word or because this side did it there. */
  readonly killedAt: KillPoint | null;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;
/** Takes part in a run: is told each thing that the child says. */
export type Listener = (said: Said, child: Child) => void;

const childFile = fileURLToPath(new URL("./decider-child.ts", import.meta.url));
/** Longest time from a close to a kill at some moment of it, in milliseconds. */
const momentMs = 6;

/** Runs a decider until it has ended. */
export async function runDecider({ job, house, listener }: { job: Job; house: House; listener?: Listener }): Promise<Report> {
  const tap = job.kill === null ? null : tapFor(job.kill);
  const wire = tap === null ? null : await openWire({ target: house.decidingUrl, tap });
  const child = start({ job, house, url: wire?.url ?? house.decidingUrl });
  const struck: { at: KillPoint | null } = { at: null };
  const strike = (point: KillPoint): void => {
    if (child.kill("SIGKILL")) struck.at = point;
  };
  if (wire !== null && job.kill !== null) void strikeOnWire({ wire, kill: job.kill, house, strike });
  const heard = listen(child, (said) => {
    listener?.(said, child);
    if (said.what === "dying") struck.at = said.point;
    if (job.kill?.point !== "close_moment" || said.what !== "closing" || said.decisionId !== job.kill.victim) return;
    setTimeout(strike, job.kill.share * momentMs, "close_moment");
  });
  const [code, signal] = await once(child, "close");
  await wire?.close();
  return { job, code, signal, said: heard.said, stderr: heard.stderr(), killedAt: struck.at };
}

function start({ job, house, url }: { job: Job; house: House; url: string }): Child {
  const env = { DECIDER_JOB: JSON.stringify(job), DECIDER_URL: url, NODE_COMPILE_CACHE: house.compileCache };
  return spawn(process.execPath, [childFile], { env, stdio: ["pipe", "pipe", "pipe"] });
}

function listen(child: Child, hear: (said: Said) => void): { said: Said[]; stderr: () => string } {
  const said: Said[] = [];
  let stderr = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    const one = JSON.parse(line) as Said; // written by `say`, which is typed
    said.push(one);
    hear(one);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on("error", () => {});
  return { said, stderr: () => stderr };
}

function tapFor({ point, victim, share }: Kill): Tap | null {
  if (point === "open_torn") return { call: "open_decisions", text: victim, tornAt: share };
  if (point === "close_torn") return { call: "close_decisions", text: victim, tornAt: share };
  if (point === "open_unanswered") return { call: "open_decisions", text: victim, tornAt: null };
  if (point === "close_unanswered") return { call: "close_decisions", text: victim, tornAt: null };
  return null;
}

async function strikeOnWire({
  wire,
  kill: { point, victim },
  house,
  strike,
}: {
  wire: Wire;
  kill: Kill;
  house: House;
  strike: (point: KillPoint) => void;
}): Promise<void> {
  await wire.tapped;
  const table = point === "open_unanswered" ? "intent" : "entry";
  const isUnanswered = point === "open_unanswered" || point === "close_unanswered";
  if (isUnanswered) {
    await until(async () => {
      const found = await query(house.adminUrl, `select from countersign.${table} where decision_id = '${victim}'`);
      return found.length > 0;
    });
  }
  strike(point);
}
