// A decider as a process of its own: it runs the decisions of its job through the shipped graph and journal, and dies where it is told.
import { writeSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import type { DecisionRequest } from "../../src/contract/decision.ts";
import { CountersignError } from "../../src/contract/errors.ts";
import type { Journal } from "../../src/contract/ports.ts";
import type { Graph } from "../../src/decide/builder.ts";
import { graph } from "../../src/decide/graph.ts";
import { runDecision } from "../../src/decide/run.ts";
import { createJournal } from "../../src/ledger/journal.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { systemClock, systemDeadline } from "../../src/store/clock.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import { createTestDeps, testPrincipal } from "../../src/testing/index.ts";
import { type Job, type KillPoint, type PlannedDecision, rootKey } from "./decider-plan.ts";
import type { Said } from "./decider-process.ts";
import { openWorld } from "./decider-world.ts";

const job = JSON.parse(process.env["DECIDER_JOB"] ?? "") as Job; // written by `runDecider`, which is typed
const journal = createJournal({
  url: process.env["DECIDER_URL"] ?? "",
  clock: systemClock,
  keys: payloadKeys(rootKey),
  leaseMs: job.leaseMs,
});
const world = openWorld();
// Who waits to be killed waits on its input, and goes when nobody is there any more to do it.
process.stdin.once("end", () => process.exit(1));
const goOn = new Promise<void>((resolve) => void process.stdin.once("data", () => resolve()));
const overOthers = { count: 0, wake: () => {} };

/** The shipped journal; around its work the process may die, and it tells what it was answered. */
const watchedJournal: Journal = {
  open: async (request, at) => {
    if (isPoint(request.decisionId, "open_torn", "open_unanswered")) await othersOver();
    const opened = await journal.open(request, at);
    say({ what: "opened", decisionId: request.decisionId });
    return opened;
  },
  close: async (record) => {
    const { decisionId } = record.request;
    await dieAt("after_exit", decisionId);
    if (isPoint(decisionId, "close_called", "close_torn", "close_sent", "close_moment", "close_unanswered")) await othersOver();
    say({ what: "closing", decisionId });
    const closing = journal.close(record);
    if (isPoint(decisionId, "close_called")) die("close_called");
    // The group leaves in the turn that the close has asked for just now; this one comes right behind it.
    if (isPoint(decisionId, "close_sent")) setImmediate(() => die("close_sent"));
    const closed = await closing;
    await dieAt("close_answered", decisionId);
    return closed;
  },
};

const [first, ...others] = job.decisions;
const alone = first === undefined ? null : decide(first);
if (job.isWarm) await alone;
await Promise.all([alone, ...others.map(decide)]);
if (job.kill === null) {
  await journal.stop();
  process.stdin.destroy();
}

async function decide(planned: PlannedDecision): Promise<void> {
  const { decisionId, entryId, tenant, does, modelTurns } = planned;
  const capability = world.capabilities[does];
  const inputs = { text: `${does}, please`, ...(does === "answer" ? {} : { days: 3 }) };
  const principal = { ...testPrincipal, tenant };
  const request: DecisionRequest = {
    decisionId,
    entryId,
    principal,
    capability: capability.name,
    inputs,
    idempotencyKey: null,
    cause: null,
  };
  const { model, context } = world;
  const deps = createTestDeps({ capability, clock: systemClock, deadline: systemDeadline, digest: sha256Digest, model, context });
  try {
    const run = await runDecision({ graph: watched(decisionId, modelTurns), request, deps, journal: watchedJournal });
    if (run.kind !== "decided") throw new Error("a new request was taken for a repeated one");
    const { record } = run.outcome;
    say({ what: "closed", decisionId, entryId: run.outcome.entryId, proposalDigest: record.proposal?.digest ?? null });
  } catch (thrown) {
    if (!(thrown instanceof CountersignError)) throw thrown;
    say({ what: "refused", decisionId, code: thrown.code });
    // It will never come to the point at which it was to die.
    if (decisionId === job.kill?.victim) process.exit(1);
  }
  if (decisionId !== job.kill?.victim) overOthers.count += 1;
  overOthers.wake();
}

/** The shipped graph; before each node a decision may wait, and its process may die. */
function watched(decisionId: string, modelTurns: number): Graph {
  return graph.map(({ name, run }) => ({
    name,
    run: async (state, deps) => {
      await dieAt(name, decisionId);
      if (job.pausesAt === name) {
        say({ what: "waiting", decisionId });
        await goOn;
      }
      if (name === "llm_decision") for (let turns = 0; turns < modelTurns; turns += 1) await turn();
      return run(state, deps);
    },
  }));
}

function isPoint(decisionId: string, ...points: readonly KillPoint[]): boolean {
  return job.kill !== null && job.kill.victim === decisionId && points.includes(job.kill.point);
}

async function dieAt(point: KillPoint, decisionId: string): Promise<void> {
  if (!isPoint(decisionId, point)) return;
  await othersOver();
  die(point);
}

async function othersOver(): Promise<void> {
  while (overOthers.count < (job.kill?.overFirst ?? 0)) await new Promise<void>((wake) => Object.assign(overOthers, { wake }));
}

function die(point: KillPoint): never {
  say({ what: "dying", point });
  process.kill(process.pid, "SIGKILL");
  throw new Error("alive after SIGKILL");
}

// Written at once and whole: what was said before a kill has been said.
function say(said: Said): void {
  writeSync(1, `${JSON.stringify(said)}\n`);
}
