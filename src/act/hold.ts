import { type EffectTask, effectTask } from "../approve/effect-task.ts";
import { writeEntries } from "../ledger/entries.ts";
import { writeNotices } from "../ledger/notices.ts";
import { readDecision } from "../ledger/read.ts";
import { attempt } from "../store/attempt.ts";
import type { Tx } from "../store/database.ts";
import type { OperationRow } from "../store/tables.ts";
import { type Acting, type Held, leaseMsOf } from "./acting.ts";
import { moveOperation, takeOver } from "./operations.ts";
import { tellOutcome } from "./tell.ts";

/**
 * Takes a due operation over under a new fence and lease, with its effect read from the ledger. Nothing where it is not due or another
 * worker is at it; `lost` where this project cannot read it any more, and a person was called.
 */
export async function hold(
  { tenant, id }: { tenant: string; id: string },
  acting: Acting,
): Promise<{ kind: "held"; held: Held } | { kind: "lost" } | undefined> {
  const heldSinceMs = acting.clock.monotonic();
  return acting.database.inTenant(tenant, async (tx) => {
    const now = await acting.storeTime(tx);
    const leaseMs = (effect: string) => leaseMsOf(acting.measure.project.effects.find((one) => one.name === effect));
    const taken = await takeOver(tx, { tenant, id, now, leaseMs });
    if (taken === undefined) return undefined;
    const { row, foundState } = taken;
    const task = await taskOf(tx, row, acting);
    if (task === null) return escalateLost({ tx, row, now, acting });
    return { kind: "held", held: heldOf({ row, foundState, task, leaseMs: leaseMs(row.effect), heldSinceMs }) };
  });
}

/** The effect of an operation as the ledger holds it; `null` where it cannot be read or is no longer part of this project. */
async function taskOf(tx: Tx, row: OperationRow, { measure }: Acting): Promise<EffectTask | null> {
  const attempted = await attempt(tx, async () => {
    const story = await readDecision({ tx, tenant: row.tenant, decisionId: row.decision_id, keys: measure.payloadKeys });
    return story === null ? null : effectTask({ story, effectIndex: row.effect_index, project: measure.project });
  });
  const task = attempted.kind === "done" ? attempted.value : null;
  const isSame = task?.kind === "effect" && task.proposed.paramsDigest === row.params_digest && task.effect.name === row.effect;
  return isSame ? task : null;
}

/** An operation that this project can no longer read freezes its key, and a person is called. */
async function escalateLost({
  tx,
  row,
  now,
  acting,
}: {
  tx: Tx;
  row: OperationRow;
  now: number;
  acting: Acting;
}): Promise<{ kind: "lost" }> {
  const id = acting.ids.next();
  await moveOperation(
    tx,
    { tenant: row.tenant, id: row.id, fence: Number(row.fence) },
    { state: "escalated", leaseUntil: now, dueAt: now, lastEntryId: id },
  );
  const frame = {
    id,
    tenant: row.tenant,
    ts: now,
    writer: "acting",
    decisionId: row.decision_id,
    cause: row.last_entry_id,
  } as const;
  const facts = { operationId: row.id, effectIndex: row.effect_index, reason: "definition_gone", owner: null };
  await writeEntries({ tx, drafts: [{ ...frame, kind: "escalated", facts, bodies: {} }], keys: acting.measure.payloadKeys });
  // The definition that named the owner is gone.
  const told = { tenant: row.tenant, decisionId: row.decision_id, entryId: id };
  await writeNotices({ tx, ids: acting.ids, notices: [{ ...told, kind: "escalated", to: { kind: "role", name: "owner" } }] });
  await tellOutcome(tx, told, acting);
  return { kind: "lost" };
}

function heldOf({
  row,
  foundState,
  task,
  leaseMs,
  heldSinceMs,
}: Pick<Held, "foundState" | "task" | "leaseMs" | "heldSinceMs"> & { row: OperationRow }): Held {
  return {
    tenant: row.tenant,
    id: row.id,
    task,
    approvalId: row.approval_id,
    generation: row.generation,
    attempts: row.attempts,
    fence: Number(row.fence),
    foundState,
    lastEntryId: row.last_entry_id,
    createdAt: row.created_at.getTime(),
    deadlineAt: row.deadline_at.getTime(),
    lastSendAt: (row.last_send_at ?? row.lease_until).getTime(),
    leaseMs,
    heldSinceMs,
  };
}
