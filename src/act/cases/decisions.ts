import { sql } from "kysely";
import { outcomeOfState, type StepDecision } from "../../contract/case.ts";
import { assertNever } from "../../contract/errors.ts";
import { readMark } from "../../ledger/mark.ts";
import { readDecision } from "../../ledger/read.ts";
import { viewDecision } from "../../ledger/view.ts";
import { readWanted } from "../../ledger/wanted.ts";
import type { Run } from "./run.ts";

/** How far the decision that a case waits for has come; `seen` is its mark, by which the next change is noticed. */
export type DecisionLook =
  | { readonly kind: "open"; readonly decisionId: string | null; readonly seen: string | null }
  | { readonly kind: "ended"; readonly decision: StepDecision };

/** Looks at the decision of a case's step, in the store. */
export async function lookAtDecision(run: Run): Promise<DecisionLook> {
  const { tx, row } = run;
  const { tenant, wanted_id: id } = row;
  if (row.decision_id !== null) return lookAtMade(run, row.decision_id);
  const wanted = id === null ? null : await readWanted(tx, { tenant, id });
  switch (wanted?.state) {
    case undefined:
    case "waiting":
      return { kind: "open", decisionId: null, seen: null };
    case "failed":
      return { kind: "ended", decision: { ...nothing, outcome: "undecided", decisionId: wanted.decisionId, code: wanted.code } };
    case "made":
      return wanted.decisionId === null ? { kind: "open", decisionId: null, seen: null } : lookAtMade(run, wanted.decisionId);
    default:
      return assertNever(wanted?.state as never);
  }
}

/** What became of the last decision of each of these steps; a step that was not taken, or whose decision is open, is left out. */
export async function readSteps(run: Run, steps: readonly string[]): Promise<{ readonly [step: string]: StepDecision }> {
  const read: { [step: string]: StepDecision } = {};
  for (const step of steps) {
    const decisionId = await lastDecisionOf(run, step);
    const look = decisionId === null ? null : await lookAtMade(run, decisionId);
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

async function lookAtMade({ tx, row: { tenant }, casing: { keys } }: Run, decisionId: string): Promise<DecisionLook> {
  // The mark first: what happens between the two reads shows as a change of it.
  const seen = await readMark({ tx, tenant, decisionId });
  const story = await readDecision({ tx, tenant, decisionId, keys, unreadable: "mark" });
  if (story === null) return { kind: "open", decisionId, seen: null };
  const view = viewDecision(story, "auditor");
  const outcome = outcomeOfState[view.state];
  if (outcome === "open") return { kind: "open", decisionId, seen };
  // A person edited it: what stands in its place is what the case waits for from now on.
  if (outcome === "superseded") return { kind: "open", decisionId: view.supersededBy ?? decisionId, seen: null };
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
