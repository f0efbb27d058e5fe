import { sql } from "kysely";
import { CountersignError } from "../contract/errors.ts";
import type { OperationState } from "../contract/words.ts";
import type { Tx } from "../store/database.ts";
import type { OperationRow } from "../store/tables.ts";

/** States in which an operation still needs somebody to look. */
export const openStates = ["applying", "applied", "incomplete", "unknown", "retrying", "compensating"] as const;
/** A new operation as `insertOperations` writes it; times in milliseconds of the store's clock. */
export interface NewOperation extends BusinessKey {
  readonly id: string;
  readonly paramsDigest: string;
  readonly decisionId: string;
  readonly effectIndex: number;
  readonly approvalId: string;
  readonly secondApprovalId: string | null;
  readonly leaseUntil: number;
  readonly deadlineAt: number;
  readonly lastSendAt: number;
  readonly lastEntryId: string;
}

/**
 * Inserts operations in the state `applying` with their first send counted, but for those whose business key is taken; returns the
 * generations of those that it did by their ids: each is one above the last that freed the key, so that the target gets another key.
 * Throws `key_conflict` where a rival used and freed a key in the same instant; the transaction is undone then, and the next round looks anew.
 */
export async function insertOperations(
  tx: Tx,
  tenant: string,
  operations: readonly NewOperation[],
): Promise<ReadonlyMap<string, number>> {
  if (operations.length === 0) return new Map();
  const { rows } = await sql<{ id: string; generation: number; is_stale: boolean }>`
    select * from countersign.begin_operations(${tenant}, ${JSON.stringify(operations)}::json)`.execute(tx);
  if (rows.some(({ is_stale: isStale }) => isStale))
    throw new CountersignError("key_conflict", "a business key was used and freed in the same instant; it is looked at again");
  return new Map(rows.map(({ id, generation }) => [id, generation]));
}

export interface BusinessKey {
  readonly effect: string;
  readonly key: string;
}

/** The operations that hold these business keys, where one does. */
export async function holdersOf(tx: Tx, tenant: string, keys: readonly BusinessKey[]): Promise<readonly OperationRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<OperationRow>`
    select operation.* from json_to_recordset(${JSON.stringify(keys.map(bare))}::json) as asked (effect text, key text)
    join lateral (select * from countersign.operation where operation.tenant = ${tenant} and operation.effect = asked.effect
      and operation.key = asked.key and operation.state not in ('refused', 'compensated') limit 1) operation on true`.execute(tx);
  return rows;
}

/** The smallest id of an instant: its milliseconds, and nothing after them. */
function firstIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

function bare({ effect, key }: BusinessKey): BusinessKey {
  return { effect, key };
}

/**
 * How many operations of an effect were begun since an instant (milliseconds of the store's clock), counted up to `limit`. Ids grow with
 * time (UUID version 7), so it walks the newest alone.
 */
export async function countSince(
  tx: Tx,
  { tenant, effect, since, limit }: { tenant: string; effect: string; since: number; limit: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from countersign.operation where tenant = ${tenant} and effect = ${effect}
      and id > ${firstIdAt(since)}::uuid limit ${limit}) begun`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** The ids of operations that nobody holds and that are due, longest due first. */
export async function dueOperations(
  tx: Tx,
  { tenant, now, limit }: { tenant: string; now: number; limit: number },
): Promise<string[]> {
  const rows = await tx
    .selectFrom("operation")
    .select("id")
    .where("tenant", "=", tenant)
    .where("state", "in", [...openStates])
    .where("due_at", "<=", new Date(now))
    .where("lease_until", "<=", new Date(now))
    .orderBy("due_at")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** An operation that was taken over, and the state in which it was found. */
export interface Taken {
  readonly row: OperationRow;
  readonly foundState: OperationState;
}

/** Takes due operations over: raises their fences and leases. Those that are not due any more or that another worker has are left out. */
export async function takeOver(
  tx: Tx,
  { tenant, ids, now, leaseMs }: { tenant: string; ids: readonly string[]; now: number; leaseMs: number },
): Promise<readonly Taken[]> {
  const due = sql`tenant = ${tenant} and state in (${sql.join([...openStates])}) and due_at <= ${new Date(now)}
    and lease_until <= ${new Date(now)}`;
  const { rows } = await sql<OperationRow & { found_state: OperationState }>`
    with found as materialized (
      select id, state from countersign.operation where id = any (${ids}::uuid[]) and ${due} order by id for update skip locked)
    update countersign.operation set fence = operation.fence + 1, lease_until = ${new Date(now + leaseMs)},
      due_at = ${new Date(now + leaseMs)},
      state = case when operation.state in ('applying', 'retrying') then 'unknown' else operation.state end
    from found where operation.tenant = ${tenant} and operation.id = found.id
    returning operation.*, found.state as found_state`.execute(tx);
  return rows.map(({ found_state: foundState, ...row }) => ({ row, foundState }));
}

/** Gives operations whose leases run, under these fences, more time. Returns the ids of those that have it. */
export async function renewLeases(
  tx: Tx,
  {
    tenant,
    now,
    leaseMs,
    renewals,
  }: {
    tenant: string;
    now: number;
    leaseMs: number;
    /** `mayStillSendMs`: from now on, how long a send may still be on its way that has not begun; 0 where it has. */
    renewals: readonly { readonly id: string; readonly fence: number; readonly mayStillSendMs: number }[];
  },
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    with standing as materialized (
      select id from countersign.operation where tenant = ${tenant} and id = any (${renewals.map(({ id }) => id)}::uuid[])
        and lease_until > ${new Date(now)} and state not in ('complete', 'refused', 'compensated') order by id for update)
    update countersign.operation
    set lease_until = ${new Date(now + leaseMs)}, due_at = ${new Date(now + leaseMs)},
      last_send_at = greatest(last_send_at, case when held."mayStillSendMs" > 0
        then ${new Date(now)}::timestamptz + make_interval(secs => held."mayStillSendMs" / 1000.0) end)
    from json_to_recordset(${JSON.stringify(renewals)}::json) as held (id uuid, fence bigint, "mayStillSendMs" double precision)
      join standing on standing.id = held.id
    where operation.tenant = ${tenant} and operation.id = held.id and operation.fence = held.fence
    returning operation.id`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** What an operation row may change to. */
export interface Move {
  readonly state: OperationState;
  readonly leaseUntil: number;
  readonly dueAt: number;
  readonly lastEntryId?: string;
  readonly lastSendAt?: number;
  readonly attempts?: number;
  readonly deadlineAt?: number;
}

/** A move of one operation that is held under a fence. */
export interface FencedMove extends Move {
  readonly id: string;
  readonly fence: number;
}

/** Moves operations on, each only under its fence; returns the ids of those that moved. Another worker has the others. */
export async function moveOperations(tx: Tx, tenant: string, moves: readonly FencedMove[]): Promise<ReadonlySet<string>> {
  if (moves.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from countersign.move_operations(${tenant}, ${moves.map(({ id }) => id)}::uuid[], ${JSON.stringify(moves)}::json) as id`.execute(
    tx,
  );
  return new Set(rows.map(({ id }) => id));
}

/** What is thrown to whoever held an operation that another worker has taken over. */
export function fencedOff({ id, fence }: Pick<FencedMove, "id" | "fence">): CountersignError {
  return new CountersignError("fenced_off", "another worker has taken this operation over; nothing was written here", {
    facts: { operationId: id, fence },
  });
}
