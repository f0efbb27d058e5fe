import type { DecisionOutcome, DecisionRecord, DecisionRequest, NodeTrace, Stop } from "../contract/decision.ts";
import { CountersignError, isCountersignError, messageOf } from "../contract/errors.ts";
import type { Json } from "../contract/json.ts";
import type { CallRecord, Model } from "../contract/model.ts";
import type { Journal } from "../contract/ports.ts";
import type { Graph } from "./builder.ts";
import { exitEarly } from "./nodes/exit.ts";
import { type Deps, isStop, type Outcome, type Slots, stopAt } from "./state.ts";

/** How a request ended: newly decided, or found to be a repeat of an earlier one. */
export type Run =
  | { readonly kind: "decided"; readonly outcome: DecisionOutcome }
  | { readonly kind: "repeated"; readonly decisionId: string };

/**
 * Runs one decision: an intent before the first node, one entry after the last, whatever happens in between.
 * Throws `in_progress`, `idempotency_conflict`, `decision_abandoned` when the sweeper was faster, or `decision_failed` where the record could not be kept.
 */
export async function runDecision({
  graph,
  request,
  deps,
  journal,
}: {
  graph: Graph;
  request: DecisionRequest;
  deps: Deps;
  journal: Journal;
}): Promise<Run> {
  const opened = await journal.open(request, deps.clock.now());
  switch (opened.kind) {
    case "repeated":
      return { kind: "repeated", decisionId: opened.decisionId };
    case "in_progress":
      throw new CountersignError("in_progress", "the same request is being decided; ask for its decision", {
        facts: { decisionId: opened.decisionId },
      });
    case "conflict":
      throw new CountersignError("idempotency_conflict", "this idempotency key came with another request; use a new key");
    case "opened":
      return { kind: "decided", outcome: await closed(journal, await propose({ graph, request, deps })) };
  }
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

/** Walks the graph without writing anything: the same request, context and replies give the same proposal, byte for byte. */
export async function propose({
  graph,
  request,
  deps,
}: {
  graph: Graph;
  request: DecisionRequest;
  deps: Deps;
}): Promise<DecisionRecord> {
  const calls: CallRecord[] = [];
  const trace: NodeTrace[] = [];
  const outcome = await walk({ graph, request, trace, deps: { ...deps, model: recording(deps.model, calls) } });
  const bodies = { ...outcome.bodies, trace: trace as unknown as Json, replies: repliesOf(calls) }; // traces are plain data
  return { ...outcome, request, calls, bodies };
}

async function walk({
  graph,
  request,
  trace,
  deps,
}: {
  graph: Graph;
  request: DecisionRequest;
  trace: NodeTrace[];
  deps: Deps;
}): Promise<Outcome> {
  let state: Partial<Slots> = { request };
  for (const node of graph) {
    const startedAt = deps.clock.monotonic();
    const added = deps.cancel.isCancelled()
      ? stopAt(node.name, "cancelled", "the requester cancelled the decision")
      : await attempt(() => node.run(state, deps), node.name);
    const ms = Math.round(deps.clock.monotonic() - startedAt);
    if (isStop(added)) {
      trace.push({ node: node.name, ms, outcome: added.reason === "node_failed" ? "failed" : "stopped" });
      return exitEarly(state, added, deps);
    }
    trace.push({ node: node.name, ms, outcome: "added" });
    state = { ...state, ...added };
  }
  if (state.outcome === undefined) throw new CountersignError("internal", "the graph ended without an outcome");
  return state.outcome;
}

/** A node that throws stops the decision; the reason names the fault's code, and a message only where it is one of ours. */
async function attempt(run: () => Promise<Partial<Slots> | Stop>, node: Stop["node"]): Promise<Partial<Slots> | Stop> {
  try {
    return await run();
  } catch (thrown) {
    if (isCountersignError(thrown, "record_unavailable")) return stopAt(node, "record_unavailable", messageOf(thrown));
    const what = isCountersignError(thrown) ? `${thrown.code}: ${messageOf(thrown)}` : "an unexpected fault";
    return stopAt(node, "node_failed", `node \`${node}\` failed with ${what}`);
  }
}

/** Every call of this decision leaves its record, those of failed attempts too. */
function recording(model: Model, calls: CallRecord[]): Model {
  return {
    call: async (request) => {
      const reply = await model.call(request);
      calls.push(reply.call);
      return reply;
    },
  };
}

function repliesOf(calls: readonly CallRecord[]): Json {
  return calls.map(({ node, purpose, attempt: number, model, outcome, reply, problem }) => ({
    node,
    purpose,
    attempt: number,
    model,
    outcome,
    reply,
    problem,
  }));
}
