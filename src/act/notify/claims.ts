import { sql } from "kysely";
import type { Tx } from "../../store/database.ts";
import type { Told } from "./channel.ts";

/** A notice that this worker sends now: no other one takes it before `leaseMs` is over. */
export interface ClaimedNotice extends Told {
  readonly attempts: number;
  /** Keys of the sends that were taken, and of those that were refused for good. */
  readonly done: readonly string[];
  readonly refused: readonly string[];
}

/** How long a worker may send one notice, and how long no other one takes it up, in milliseconds. */
export const sendMs = 30_000;
const leaseMs = 2 * sendMs;

/** Most notices of one tenant, and most tenants, in one round. */
const [mostNotices, mostTenants] = [8, 4];

/** The tenants that have something to be told now, who waits longest first. */
export async function tenantsToTell(tx: Tx, now: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id from tenant t
    cross join lateral (select min(n.due_at) as due from notice n where n.tenant = t.id and n.state = 'waiting' and n.due_at <= ${new Date(now)}) first
    where first.due is not null and t.state = 'active' order by first.due limit ${mostTenants}`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Claims notices that are due: each counts an attempt and becomes due again when the lease is over, before anything is sent. So a worker
 * that dies costs an attempt and never a notice, and no transaction is open while somebody is told.
 */
export async function claimNotices(tx: Tx, { tenant, now }: { tenant: string; now: number }): Promise<readonly ClaimedNotice[]> {
  const { rows } = await sql<Row>`
    with due as materialized (
      select id from notice where tenant = ${tenant} and state = 'waiting' and due_at <= ${new Date(now)}
      order by due_at, id limit ${mostNotices} for update skip locked)
    update notice n set attempts = n.attempts + 1, due_at = ${new Date(now + leaseMs)}
    from due where n.tenant = ${tenant} and n.id = due.id
    returning n.id, n.kind, n.decision_id, n.case_id, n.to_kind, n.to_name, n.at, n.attempts, n.done, n.refused`.execute(tx);
  return rows.map(({ decision_id: decisionId, case_id: caseId, to_kind: kind, to_name: name, at, ...row }) => ({
    ...row,
    ...{ tenant, decisionId, caseId, to: { kind, name }, at: at.getTime() },
  }));
}

interface Row extends Pick<ClaimedNotice, "id" | "kind" | "attempts" | "done" | "refused"> {
  readonly decision_id: string | null;
  readonly case_id: string | null;
  readonly to_kind: Told["to"]["kind"];
  readonly to_name: string;
  readonly at: Date;
}

/** How a claimed notice stands after this attempt. `dueAt` in milliseconds since the epoch, of the store's clock. */
export interface Standing {
  readonly state: "waiting" | "sent" | "failed";
  readonly dueAt: number;
  readonly done: readonly string[];
  readonly refused: readonly string[];
}

/** Writes how a claimed notice stands; nothing where another worker took it up meanwhile, since then its word counts. */
export async function writeStanding(tx: Tx, claimed: ClaimedNotice, { state, dueAt, done, refused }: Standing): Promise<void> {
  await tx
    .updateTable("notice")
    .set({ state, due_at: new Date(dueAt), done: [...done], refused: [...refused] })
    .where("tenant", "=", claimed.tenant)
    .where("id", "=", claimed.id)
    .where("state", "=", "waiting")
    .where("attempts", "=", claimed.attempts)
    .execute();
}
