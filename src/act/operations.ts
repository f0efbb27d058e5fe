import { sql } from "kysely";
import { CountersignError } from "../contract/errors.ts";
import type { OperationState } from "../contract/words.ts";
import type { Tx } from "../store/database.ts";
import type { NewOperationRow, OperationRow } from "../store/tables.ts";

/** States in which an operation still needs somebody to look. */
export const openStates = ["applying", "applied", "incomplete", "unknown", "retrying", "compensating"] as const;
/** States that free the business key: nothing was sent, or it was undone. */
const freeStates = ["refused", "compensated"] as const;

/** Inserts an operation unless its business key is taken; says whether it did. Waits for a rival that has not committed yet. */
export async function insertOperation(tx: Tx, row: NewOperationRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("operation")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["tenant", "effect", "key"])
        .where("state", "not in", [...freeStates])
        .doNothing(),
    )
    .returning("id")
    .execute();
  return inserted.length === 1;
}

/** The operation that holds a business key, if one does. */
export async function holderOf(tx: Tx, { tenant, effect, key }: BusinessKey): Promise<OperationRow | undefined> {
  return tx
    .selectFrom("operation")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("effect", "=", effect)
    .where("key", "=", key)
    .where("state", "not in", [...freeStates])
    .executeTakeFirst();
}

export interface BusinessKey {
  readonly tenant: string;
  readonly effect: string;
  readonly key: string;
}

/** The generation of the next operation under a business key: one more than any before, so that the target's key differs. */
export async function nextGeneration(tx: Tx, { tenant, effect, key }: BusinessKey): Promise<number> {
  const row = await tx
    .selectFrom("operation")
    .select(({ fn }) => fn.max("generation").as("last"))
    .where("tenant", "=", tenant)
    .where("effect", "=", effect)
    .where("key", "=", key)
    .executeTakeFirst();
  return Number(row?.last ?? 0) + 1;
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

/** Takes a due operation over: raises its fence and its lease. Nothing when it is not due any more or another worker is at it. */
export async function takeOver(
  tx: Tx,
  { tenant, id, now, leaseMs }: { tenant: string; id: string; now: number; leaseMs: (effect: string) => number },
): Promise<{ readonly row: OperationRow; readonly foundState: OperationState } | undefined> {
  const found = await tx
    .selectFrom("operation")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("id", "=", id)
    .where("state", "in", [...openStates])
    .where("due_at", "<=", new Date(now))
    .where("lease_until", "<=", new Date(now))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const leaseUntil = new Date(now + leaseMs(found.effect));
  const row = await tx
    .updateTable("operation")
    .set({ fence: sql`fence + 1`, lease_until: leaseUntil, due_at: leaseUntil, state: openAs(found.state) })
    .where("tenant", "=", tenant)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, foundState: found.state };
}

/** Whoever finds an operation in the middle of a send cannot know what became of it. */
function openAs(state: OperationState): OperationState {
  return state === "applying" || state === "retrying" ? "unknown" : state;
}

/** What an operation row may change to. */
export interface Move {
  readonly state: OperationState;
  readonly leaseUntil: number;
  readonly dueAt: number;
  readonly lastEntryId?: string;
  readonly lastSendAt?: number;
  readonly attempts?: number;
}

/** Moves an operation on. Throws `fenced_off`, and so undoes the transaction, when another worker has taken it over. */
export async function moveOperation(
  tx: Tx,
  { tenant, id, fence }: { tenant: string; id: string; fence: number },
  move: Move,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("operation")
    .set({
      state: move.state,
      lease_until: new Date(move.leaseUntil),
      due_at: new Date(move.dueAt),
      ...(move.lastEntryId === undefined ? {} : { last_entry_id: move.lastEntryId }),
      ...(move.lastSendAt === undefined ? {} : { last_send_at: new Date(move.lastSendAt) }),
      ...(move.attempts === undefined ? {} : { attempts: move.attempts }),
    })
    .where("tenant", "=", tenant)
    .where("id", "=", id)
    .where("fence", "=", String(fence))
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return;
  throw new CountersignError("fenced_off", "another worker has taken this operation over; nothing was written here", {
    facts: { operationId: id, fence },
  });
}
