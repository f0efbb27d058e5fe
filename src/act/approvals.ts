import { sql } from "kysely";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow } from "../store/tables.ts";

/** The place of an approval in the order in which approvals are looked at. */
export interface ApprovalPlace {
  readonly id: string;
  /** The exact time of its row, as text: a `Date` would lose its microseconds. */
  readonly at: string;
}

const firstPlace: ApprovalPlace = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };

/** Open approvals of slices, in the order of their making, from after `after` on. */
export async function openSliceApprovals(
  tx: Tx,
  { tenant, after, limit }: { tenant: string; after: ApprovalPlace | null; limit: number },
): Promise<readonly ApprovalPlace[]> {
  const { at, id } = after ?? firstPlace;
  const { rows } = await sql<ApprovalPlace>`
    select id, created_at::text as at from approval
    where tenant = ${tenant} and state = 'granted' and decision_id is null and (created_at, id) > (${at}::timestamptz, ${id}::uuid)
    order by created_at, id limit ${limit}`.execute(tx);
  return rows;
}

/** Which open approvals of effects are next. */
export interface NextApprovals {
  readonly tenant: string;
  /** The place after which they stand; `null` for all. */
  readonly after: ApprovalPlace | null;
  /** Decisions whose approvals are left alone. */
  readonly butOf: readonly string[];
  readonly limit: number;
}

/** An approval that is locked, with its place. */
export type PlacedApproval = ApprovalRow & Pick<ApprovalPlace, "at">;

/**
 * Locks the next open approvals of effects, in the order of their making; left out are those that another worker is at. It never waits,
 * so no two workers wait for each other.
 */
export async function lockNextApprovals(
  tx: Tx,
  { tenant, after, butOf, limit }: NextApprovals,
): Promise<readonly PlacedApproval[]> {
  const { at, id } = after ?? firstPlace;
  const { rows } = await sql<PlacedApproval>`
    select *, created_at::text as at
    from countersign.hold_next_approvals(${tenant}, ${at}::timestamptz, ${id}::uuid, ${butOf}::uuid[], ${limit})`.execute(tx);
  return rows;
}

/**
 * Locks open approvals, in the order of their making; left out are those that were answered and those that another worker is at. It
 * never waits, so no two workers wait for each other.
 */
export async function lockOpenApprovals(
  tx: Tx,
  { tenant, ids }: { tenant: string; ids: readonly string[] },
): Promise<readonly ApprovalRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ApprovalRow>`
    select * from countersign.hold_approvals(${tenant}, ${ids}::uuid[])`.execute(tx);
  return rows;
}

/** How an approval ends. */
export interface ApprovalEnd {
  readonly id: string;
  readonly state: "consumed" | "refused" | "expired" | "withdrawn";
}

/** Ends open approvals. Invariant: only an open one ends, and once; the rows are locked, and a trigger holds the same. */
export async function closeApprovals(tx: Tx, tenant: string, ends: readonly ApprovalEnd[]): Promise<void> {
  for (const state of new Set(ends.map((end) => end.state))) {
    const ids = ends.filter((end) => end.state === state).map(({ id }) => id);
    await sql`select countersign.close_approvals(${tenant}, ${ids}::uuid[], ${state})`.execute(tx);
  }
}

/**
 * Of these approvals those whose givers took them back. The rows must be locked: a withdrawal that began before is committed by then.
 */
export async function withdrawnOf(
  tx: Tx,
  { tenant, ids }: { tenant: string; ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select approval_id as id from countersign.withdrawal where tenant = ${tenant} and approval_id = any (${ids}::uuid[])`.execute(
    tx,
  );
  return new Set(rows.map(({ id }) => id));
}
