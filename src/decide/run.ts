import type { BudgetUnit, Meter, MeteredRun, OverBudget } from "../contract/budget.ts";
import type { DecisionOutcome, DecisionRecord, DecisionRequest, NodeTrace, Stop } from "../contract/decision.ts";
import { CountersignError, isCountersignError, messageOf } from "../contract/errors.ts";
import type { Json } from "../contract/json.ts";
import type { CallRecord } from "../contract/model.ts";
import type { Journal } from "../contract/ports.ts";
import { tokensOf } from "../contract/usage.ts";
import type { Graph } from "./builder.ts";
import { keptReplies } from "./kept-replies.ts";
import { type KnownValues, openKnownValues } from "./known-values.ts";
import { exitEarly } from "./nodes/exit.ts";
import {
  knowingModel,
  learningContext,
  learningTools,
  meteredModel,
  type ReadBefore,
  recordingContext,
  recordingModel,
} from "./recording.ts";
import { inDecisionSpan, inNodeSpan } from "./spans.ts";
import { type Deps, isStop, isStopWith, type Outcome, type Slots, type StopWith, stopAt } from "./state.ts";

/** How a request ended: newly decided, or found to be a repeat of an earlier one. */
export type Run =
  | { readonly kind: "decided"; readonly outcome: DecisionOutcome }
  | { readonly kind: "repeated"; readonly decisionId: string };

/**
 * Runs one decision: an intent before the first node, one entry after the last, whatever happens in between.
 * Throws `in_progress`, `idempotency_conflict`, `decision_abandoned` when the sweeper was faster, or `decision_failed` where the record could not be kept.
 */
export async function runDecision({ meter = null, ...running }: Running & { meter?: Meter | null }): Promise<Run> {
  // Twice at most: a process that was frozen finds what it had drawn taken back, and draws anew.
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const run = await (meter === null ? runMetered(running, null) : beginAndRun(running, meter));
    if (run !== "reservation_gone") return run;
  }
  throw new CountersignError("database_unavailable", "what was reserved of a budget was taken back twice; ask again");
}

async function beginAndRun(running: Running, meter: Meter): Promise<Run | "reservation_gone"> {
  const { request, deps } = running;
  const { principal, capability, workflow = null } = request;
  const begun = await meter.begin({
    ...{ tenant: principal.tenant, principal: principal.id, capability },
    case: workflow === null ? null : { kind: workflow.case, id: workflow.caseId },
    caps: deps.capability.caps ?? {},
  });
  // Where no budget holds it, it is begun and stopped all the same: every request leaves its entry.
  if (begun.kind === "over_budget") return runMetered({ ...running, over: begun }, null);
  try {
    const run = await runMetered({ ...running, deps: { ...deps, meter: begun.meter } }, begun);
    if (run === "reservation_gone") begun.leave();
    return run;
  } catch (thrown) {
    // Settled or released before, unless nobody here knows what came of it.
    begun.leave();
    throw thrown;
  }
}

interface Running {
  readonly graph: Graph;
  readonly request: DecisionRequest;
  readonly deps: Deps;
  readonly journal: Journal;
  /** Why nothing may be spent on it. */
  readonly over?: OverBudget;
}

async function runMetered({ journal, ...running }: Running, run: MeteredRun | null): Promise<Run | "reservation_gone"> {
  const { request, deps } = running;
  const opened = await journal.open(request, deps.clock.now(), run?.reservation ?? null);
  if (opened.kind === "reservation_gone") return "reservation_gone";
  if (opened.kind !== "opened") run?.release();
  switch (opened.kind) {
    case "repeated":
      return { kind: "repeated", decisionId: opened.decisionId };
    case "in_progress":
      throw new CountersignError("in_progress", "the same request is being decided; ask for its decision", {
        facts: { decisionId: opened.decisionId },
      });
    case "conflict":
      throw new CountersignError("idempotency_conflict", "this idempotency key came with another request; use a new key");
    case "opened": {
      const record = await propose(running);
      const outcome = await closed(journal, record);
      run?.settle(usedBy(record.calls));
      return { kind: "decided", outcome };
    }
  }
}

/** What the rows of the spend ledger say of these calls, by the units of budgets. */
export function usedBy(calls: readonly CallRecord[]): Readonly<Record<BudgetUnit, number>> {
  return {
    micros: calls.reduce((sum, { costMicros }) => sum + costMicros, 0),
    tokens: calls.reduce((sum, { usage }) => sum + tokensOf(usage), 0),
    turns: calls.filter(({ fault }) => fault !== "over_budget" && fault !== "boundary_failed").length,
  };
}

async function closed(journal: Journal, record: DecisionRecord): Promise<DecisionOutcome> {
  const end = await journal.close(record);
  const { decisionId } = record.request;
  if (end.kind === "lost") {
    throw new CountersignError("decision_abandoned", "the decision took too long and was ended; ask again", {
      facts: { decisionId },
    });
  }
  return { decisionId, entryId: end.entryId, record };
}

type Bodies = DecisionRecord["bodies"];

/** Walks the graph without writing anything: the same request, context and replies give the same proposal, byte for byte. */
export async function propose({ graph, request, deps, over }: Omit<Running, "journal">): Promise<DecisionRecord> {
  const calls: CallRecord[] = [];
  const trace: NodeTrace[] = [];
  const reads: ReadBefore[] = [];
  const values = openKnownValues();
  const early = over === undefined ? learnRequester(request, values) : stopAt("entry", "budget_spent", over.detail);
  const model = meteredModel(
    recordingModel(deps.model, (made) => void calls.push(...made)),
    deps.meter,
  );
  const recording: Deps = {
    ...deps,
    model: knowingModel(model, { tenant: request.principal.tenant, values }),
    context: learningContext(recordingContext(deps.context, reads), values),
    tools: learningTools(deps.tools, values),
  };
  const { spans, capability } = deps;
  const work = () => walk({ graph, request, trace, deps: recording, early });
  const outcome = spans === null ? await work() : await inDecisionSpan({ spans, request, capability, calls, work });
  return { ...outcome, request, calls, bodies: { ...outcome.bodies, ...recordedIn({ trace, calls, reads }) } };
}

/** What the account says of whoever asks is known from the first request on; too much of it stops the decision before it begins. */
function learnRequester({ principal }: DecisionRequest, values: KnownValues): Stop | null {
  try {
    values.learn([principal.attributes]);
    return null;
  } catch (thrown) {
    if (isCountersignError(thrown, "record_unavailable")) return stopAt("entry", "record_unavailable", messageOf(thrown));
    throw thrown;
  }
}

/** What the walk leaves for the payload; all of it is plain data. */
function recordedIn({ trace, calls, reads }: { trace: NodeTrace[]; calls: CallRecord[]; reads: ReadBefore[] }): Bodies {
  return {
    trace: trace as unknown as Json,
    replies: keptReplies(calls) as unknown as Json,
    ...(reads.length === 0 ? {} : { before: reads as unknown as Json }),
  };
}

async function walk({
  graph,
  request,
  trace,
  deps,
  early,
}: Omit<Running, "journal" | "over"> & { trace: NodeTrace[]; early: Stop | null }): Promise<Outcome> {
  let state: Partial<Slots> = { request };
  if (early !== null) return exitEarly(state, early, deps);
  for (const node of graph) {
    const startedAt = deps.clock.monotonic();
    const added = deps.cancel.isCancelled()
      ? stopAt(node.name, "cancelled", "the requester cancelled the decision")
      : await runNode(node, state, deps);
    const ms = Math.round(deps.clock.monotonic() - startedAt);
    if (isStop(added)) {
      trace.push({ ms, node: node.name, outcome: added.reason === "node_failed" ? "failed" : "stopped" });
      const { left, ...stop } = isStopWith(added) ? added : { ...added, left: {} };
      return exitEarly({ ...state, ...left }, stop, deps);
    }
    trace.push({ ms, node: node.name, outcome: "added" });
    state = { ...state, ...added };
  }
  if (state.outcome === undefined) throw new CountersignError("internal", "the graph ended without an outcome");
  return state.outcome;
}

type Added = Partial<Slots> | Stop | StopWith;

function runNode({ name, run }: Graph[number], state: Partial<Slots>, deps: Deps): Promise<Added> {
  const work = () => attempt(() => run(state, deps), name);
  return deps.spans === null ? work() : inNodeSpan({ spans: deps.spans, node: name, work });
}

/** A node that throws stops the decision; the reason names the fault's code, and a message only where it is one of ours. */
async function attempt(run: () => Promise<Added>, node: Stop["node"]): Promise<Added> {
  try {
    return await run();
  } catch (thrown) {
    if (isCountersignError(thrown, "record_unavailable")) return stopAt(node, "record_unavailable", messageOf(thrown));
    const what = isCountersignError(thrown) ? `${thrown.code}: ${messageOf(thrown)}` : "an unexpected fault";
    return stopAt(node, "node_failed", `node \`${node}\` failed with ${what}`);
  }
}
