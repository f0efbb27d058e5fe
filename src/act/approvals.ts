import { sql } from "kysely";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow } from "../store/tables.ts";

/** The place of an approval in the order in which approvals are looked at. */
export interface ApprovalPlace {
  readonly id: string;
  /** `null` for a slice. */
  readonly decisionId: string | null;
  /** The exact time of its row, as text: a `Date` would lose its microseconds. */
  readonly at: string;
}

/** Open approvals of slices or of effects, in the order of their making, from after `after` on. */
export async function openApprovals(
  tx: Tx,
  {
    tenant,
    of,
    after,
    limit,
  }: { tenant: string; of: "slices" | "effects"; after: Pick<ApprovalPlace, "id" | "at"> | null; limit: number },
): Promise<readonly ApprovalPlace[]> {
  const { at, id } = after ?? { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };
  const { rows } = await sql<ApprovalPlace>`
    select id, decision_id as "decisionId", created_at::text as at from approval
    where tenant = ${tenant} and state = 'granted' and (decision_id is null) = ${of === "slices"} and (created_at, id) > (${at}::timestamptz, ${id}::uuid)
    order by created_at, id limit ${limit}`.execute(tx);
  return rows;
}

/** Locks an open approval; nothing where it was answered, or where another worker is at it. */
export async function lockOpenApproval(
  tx: Tx,
  { tenant, approvalId }: { tenant: string; approvalId: string },
): Promise<ApprovalRow | undefined> {
  return tx
    .selectFrom("approval")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("id", "=", approvalId)
    .where("state", "=", "granted")
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Ends an open approval. Invariant: only an open one ends, and once; the row is locked, and a trigger holds the same. */
export async function closeApproval(
  tx: Tx,
  { tenant, id }: Pick<ApprovalRow, "tenant" | "id">,
  state: "consumed" | "refused" | "expired" | "withdrawn",
): Promise<void> {
  await tx
    .updateTable("approval")
    .set({ state })
    .where("tenant", "=", tenant)
    .where("id", "=", id)
    .where("state", "=", "granted")
    .executeTakeFirstOrThrow();
}

/** Says whether its giver took an approval back. The row must be locked: a withdrawal that began before is committed by then. */
export async function isWithdrawn(tx: Tx, { tenant, approvalId }: { tenant: string; approvalId: string }): Promise<boolean> {
  const row = await tx
    .selectFrom("withdrawal")
    .select("approval_id")
    .where("tenant", "=", tenant)
    .where("approval_id", "=", approvalId)
    .executeTakeFirst();
  return row !== undefined;
}
