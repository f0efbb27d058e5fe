import { sql } from "kysely";
import type { Tx } from "../../store/database.ts";
import { textAt } from "../fields.ts";
import { parseBody } from "../parse-entry.ts";
import { readOr } from "../read-entry.ts";

/** Why a decision is left as it is for now: an operation on it is open, a case waits for it, it is held, or its payload does not open. */
export type WaitsFor = "operation" | "case" | "hold" | "unreadable";

/**
 * The decisions of which nothing may be erased now. Their approvals are locked until the transaction ends, so nothing is reserved on them
 * meanwhile; one that somebody else has in hand counts as open.
 */
export async function busyDecisions(of: {
  readonly tx: Tx;
  readonly tenant: string;
  readonly decisionIds: readonly string[];
}): Promise<ReadonlyMap<string, WaitsFor>> {
  if (of.decisionIds.length === 0) return new Map();
  await lockHolds(of.tx, of.tenant);
  const [operations, cases, held] = [await underWay(of), await inCases(of), await heldBack(of)];
  const named = (ids: readonly string[], why: WaitsFor) => ids.map((id) => [id, why] as const);
  return new Map([...named(cases, "case"), ...named(operations, "operation"), ...named(held, "hold")]);
}

type Of = Parameters<typeof busyDecisions>[0];
type Row = { readonly decision_id: string };

/** A hold that is being set is waited for, and one that comes later finds what was erased before it. */
async function lockHolds(tx: Tx, tenant: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('countersign hold ' || ${tenant}, 0))`.execute(tx);
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

/** By its own id, by whoever asked or was asked for, and by its tenant. */
async function heldBack({ tx, tenant, decisionIds }: Of): Promise<readonly string[]> {
  const { rows: holds } = await sql<{ scope: string; name: string }>`
    select scope, name from countersign.hold where tenant = ${tenant} and released_at is null`.execute(tx);
  if (holds.some(({ scope }) => scope === "tenant")) return decisionIds;
  const named = (of: string) => new Set(holds.filter(({ scope }) => scope === of).map(({ name }) => name));
  const [decisions, people] = [named("decision"), named("person")];
  if (people.size === 0) return decisionIds.filter((id) => decisions.has(id));
  const { rows } = await sql<Row & { readonly body: string }>`
    select decision_id, body from countersign.entry
    where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[]) and kind in ('decided', 'stopped')`.execute(tx);
  return rows
    .filter(({ decision_id, body }) => decisions.has(decision_id) || peopleOf(body).some((person) => people.has(person)))
    .map(({ decision_id }) => decision_id);
}

/** Whoever asked for a decision, and whoever was asked for, by the bytes of its outcome; nobody where they cannot be read. */
export function peopleOf(bytes: string): readonly string[] {
  const body = readOr("mark", () => parseBody(bytes)) ?? {};
  return [textAt(body, "principal"), textAt(body, "onBehalfOf")].flatMap((one) => one ?? []);
}
