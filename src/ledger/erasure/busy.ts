import { sql } from "kysely";
import type { Tx } from "../../store/database.ts";
import { isUnanswered } from "../lists.ts";
import { heldDecisions, lockHolds } from "./holds.ts";

/**
 * Why something is left as it is for now: an operation on it is open, a case waits for it, a person may still sign it, a decision that
 * had begun has not ended, it is held, or its payload does not open.
 */
export type WaitsFor = "operation" | "case" | "review" | "decision" | "hold" | "unreadable";

/**
 * The decisions of which nothing may be erased now. Their approvals are locked until the transaction ends, so nothing is reserved on them
 * meanwhile; one that somebody else has in hand counts as open. `forReview`: of them, those that a person may still sign are left too.
 */
export async function busyDecisions(of: {
  readonly tx: Tx;
  readonly tenant: string;
  readonly decisionIds: readonly string[];
  readonly forReview: readonly string[];
}): Promise<ReadonlyMap<string, WaitsFor>> {
  if (of.decisionIds.length === 0) return new Map();
  const holds = await lockHolds(of);
  // What waits is looked at before what was signed: what is signed in between is found among the approvals.
  const waiting = await underReview({ ...of, decisionIds: of.forReview });
  const [operations, cases, held] = [await underWay(of), await inCases(of), await heldDecisions(of, holds)];
  const named = (ids: readonly string[], why: WaitsFor) => ids.map((id) => [id, why] as const);
  return new Map([
    ...named(waiting, "review"),
    ...named(cases, "case"),
    ...named(operations, "operation"),
    ...named(held, "hold"),
  ]);
}

interface Of {
  readonly tx: Tx;
  readonly tenant: string;
  readonly decisionIds: readonly string[];
}
type Row = { readonly decision_id: string };

/** What a person may still sign; not what was erased before, since nobody can sign that. */
async function underReview({ tx, tenant, decisionIds }: Of): Promise<readonly string[]> {
  if (decisionIds.length === 0) return [];
  const { rows } = await sql<Row>`
    select waiting.decision_id from countersign.waiting
    join countersign.entry decided on decided.tenant = waiting.tenant and decided.decision_id = waiting.decision_id
      and decided.kind in ('decided', 'stopped')
    join countersign.payload on payload.tenant = decided.tenant and payload.entry_id = decided.id and payload.body is not null
    where waiting.tenant = ${tenant} and waiting.decision_id = any (${decisionIds}::uuid[]) and ${isUnanswered}`.execute(tx);
  return rows.map(({ decision_id }) => decision_id);
}

/** What is signed may begin at any moment; what was left to people is not ended before somebody has said what became of it. */
async function underWay({ tx, tenant, decisionIds }: Of): Promise<readonly string[]> {
  const locked = await sql<Row & { readonly id: string; readonly state: string }>`
    select id, decision_id, state from countersign.approval
    where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[]) order by id for update skip locked`.execute(tx);
  const all = await sql<Row & { readonly id: string }>`
    select id, decision_id from countersign.approval
    where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[])`.execute(tx);
  const open = await sql<Row>`
    select decision_id from countersign.operation
    where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[])
      and state in ('applying', 'applied', 'incomplete', 'unknown', 'retrying', 'compensating', 'escalated')`.execute(tx);
  const ours = new Set(locked.rows.map(({ id }) => id));
  const elsewhere = all.rows.filter(({ id }) => !ours.has(id));
  const signed = locked.rows.filter(({ state }) => state === "granted");
  return [...elsewhere, ...signed, ...open.rows].map(({ decision_id }) => decision_id);
}

/** A case that stands at a decision reads what came of it, and so does a decision that is wanted after one. */
async function inCases({ tx, tenant, decisionIds }: Of): Promise<readonly string[]> {
  const { rows: runs } = await sql<Row>`
    select decision_id from countersign.case_run
    where tenant = ${tenant} and state <> 'ended' and decision_id = any (${decisionIds}::uuid[])`.execute(tx);
  const { rows: wanted } = await sql<{ cause: string }>`
    select cause from countersign.wanted where tenant = ${tenant} and state = 'waiting' and cause is not null`.execute(tx);
  if (wanted.length === 0) return runs.map(({ decision_id }) => decision_id);
  const { rows: causes } = await sql<Row>`
    select decision_id from countersign.entry
    where tenant = ${tenant} and id = any (${wanted.map(({ cause }) => cause)}::uuid[]) and decision_id is not null`.execute(tx);
  const follows = new Set(causes.map(({ decision_id }) => decision_id));
  return [...runs.map(({ decision_id }) => decision_id), ...decisionIds.filter((id) => follows.has(id))];
}
