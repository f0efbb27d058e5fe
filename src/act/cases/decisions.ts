import { sql } from "kysely";
import { outcomeOfState, type StepDecision } from "../../contract/case.ts";
import { assertNever } from "../../contract/errors.ts";
import { successorOf } from "../../ledger/ends.ts";
import { readMark } from "../../ledger/mark.ts";
import { type DecisionStory, readDecision } from "../../ledger/read.ts";
import { viewDecision } from "../../ledger/view.ts";
import { readWanted, type WantedStanding } from "../../ledger/wanted.ts";
import type { Run } from "./run.ts";

/** How far the decision that a case waits for has come; `seen` is its mark, by which the next change is noticed. */
export type DecisionLook =
  | { readonly kind: "open"; readonly decisionId: string | null; readonly seen: string | null }
  | { readonly kind: "ended"; readonly decision: StepDecision }
  /** What is named as the decision is not the one that was wanted, nor an edit of it. */
  | { readonly kind: "foreign" };

/** Most edits of one decision, each of another's edit, that a case follows. */
const mostEdits = 64;

/**
 * Looks at the decision of a case's step, in the store. Which decision it is, other roles say; that it is the wanted one, its own entry
 * must: of that capability, for who started the case, after the entry that the wish names. An edit comes after what it stands in for.
 */
export async function lookAtDecision(run: Run): Promise<DecisionLook> {
  const { tx, row } = run;
  const { tenant, wanted_id: id } = row;
  const wanted = id === null ? null : await readWanted(tx, { tenant, id });
  switch (wanted?.state) {
    case undefined:
    case "waiting":
      return { kind: "open", decisionId: null, seen: null };
    case "failed":
      return lookAtFailed(run, wanted);
    case "made":
      return followMade(run, wanted);
    default:
      return assertNever(wanted?.state as never);
  }
}

/** What became of the last decision of each of these steps; a step that was not taken, or whose decision is open, is left out. */
export async function readSteps(run: Run, steps: readonly string[]): Promise<{ readonly [step: string]: StepDecision }> {
  const read: { [step: string]: StepDecision } = {};
  for (const step of steps) {
    const decisionId = await lastDecisionOf(run, step);
    const made = decisionId === null ? null : await readMade(run, decisionId);
    const look = made === null ? null : lookAtMade(made);
    if (look?.kind === "ended") read[step] = look.decision;
  }
  return read;
}

/** The entry that a case's next decision follows: the newest of the last decision of the case; `null` before the first. */
export async function lastEntryOf(run: Run): Promise<string | null> {
  const decisionId = await lastDecisionOf(run, null);
  if (decisionId === null) return null;
  const { rows } = await sql<{ id: string }>`
    select id from countersign.entry where tenant = ${run.row.tenant} and decision_id = ${decisionId}
    order by xid desc, n desc limit 1`.execute(run.tx);
  return rows[0]?.id ?? null;
}

const nothing = { label: null, proposal: null, effects: [], code: null } as const;

/** A decision with its mark at most as new as what was read of it: what happens between the two shows as a change of the mark. */
interface Made {
  readonly seen: string;
  readonly story: DecisionStory;
}

async function lookAtFailed(run: Run, { decisionId, code, ...wanted }: WantedStanding): Promise<DecisionLook> {
  if (decisionId !== null) {
    const made = await readMade(run, decisionId);
    if (made === null || !isOf(run, made.story, wanted)) return { kind: "foreign" };
  }
  return { kind: "ended", decision: { ...nothing, outcome: "undecided", decisionId, code } };
}

/** Goes from the decision that was made over the edits that persons put in its place, to the one that the case waits for now. */
async function followMade(run: Run, { decisionId, capability, cause }: WantedStanding): Promise<DecisionLook> {
  const met = new Set<string>();
  let next = { decisionId, capability, cause };
  for (;;) {
    if (next.decisionId === null || met.has(next.decisionId) || met.size > mostEdits) return { kind: "foreign" };
    met.add(next.decisionId);
    const made = await readMade(run, next.decisionId);
    if (made === null || !isOf(run, made.story, next)) return { kind: "foreign" };
    const successor = successorOf(made.story);
    const look = lookAtMade(made);
    if (look.kind !== "superseded") return look;
    next = { decisionId: successor, capability, cause: made.story.outcome.id };
  }
}

function isOf({ row }: Run, story: DecisionStory, asked: Pick<WantedStanding, "capability" | "cause">): boolean {
  const { outcome, requestedBy, onBehalfOf } = story;
  // What the sweeper ended tells no more than who asked.
  const isForSame = requestedBy === row.started_by && (outcome.kind === "stopped" || onBehalfOf === row.on_behalf_of);
  return isForSame && outcome.cause === asked.cause && outcome.body["capability"] === asked.capability;
}

async function readMade({ tx, row: { tenant }, casing: { keys } }: Run, decisionId: string): Promise<Made | null> {
  const seen = await readMark({ tx, tenant, decisionId });
  const story = await readDecision({ tx, tenant, decisionId, keys, unreadable: "mark" });
  return story === null ? null : { seen, story };
}

function lookAtMade({ seen, story }: Made): Exclude<DecisionLook, { kind: "foreign" }> | { readonly kind: "superseded" } {
  const { decisionId } = story;
  const view = viewDecision(story, "auditor");
  const outcome = outcomeOfState[view.state];
  if (outcome === "open") return { kind: "open", decisionId, seen };
  if (outcome === "superseded") return { kind: "superseded" };
  const isAccepted = outcome === "answered" || outcome === "done";
  const accepted = isAccepted ? { proposal: story.proposal, effects: view.effects } : {};
  return { kind: "ended", decision: { ...nothing, ...accepted, outcome, decisionId, label: view.label } };
}

async function lastDecisionOf({ tx, row }: Run, step: string | null): Promise<string | null> {
  let query = tx
    .selectFrom("case_step")
    .select("decision_id")
    .where("tenant", "=", row.tenant)
    .where("run_id", "=", row.id)
    .where("decision_id", "is not", null);
  if (step !== null) query = query.where("from_step", "=", step);
  const found = await query.orderBy("place", "desc").limit(1).executeTakeFirst();
  return found?.decision_id ?? null;
}
