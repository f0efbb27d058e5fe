import { type EffectTask, effectTask } from "../approve/effect-task.ts";
import { openStories, type Stories } from "../approve/stories.ts";
import { isCountersignError } from "../contract/errors.ts";
import { writeEntries } from "../ledger/entries.ts";
import { writeNotices } from "../ledger/notices.ts";
import { sliceOfDecision } from "../ledger/slices/of-decision.ts";
import { isOfDatabase } from "../store/attempt.ts";
import type { Tx } from "../store/database.ts";
import type { OperationRow } from "../store/tables.ts";
import type { Acting } from "./acting.ts";
import { demoteSlices } from "./autonomy/demote.ts";
import type { Held } from "./held.ts";
import { moveOperations, type Taken, takeOver } from "./operations.ts";
import { tellOutcome } from "./tell.ts";

/** Operations that this worker took over. */
export interface HeldOver {
  readonly held: readonly Held[];
  /** Those that this project cannot read any more; a person was called. */
  readonly lost: number;
  /** What was thrown over those that could not be taken over, while others could. */
  readonly faults: readonly unknown[];
}

/**
 * Takes due operations over under new fences and leases, with their effects read from the ledger, in one commit. What is not due or
 * what another worker is at is left out.
 */
export async function hold({ tenant, ids }: { tenant: string; ids: readonly string[] }, acting: Acting): Promise<HeldOver> {
  try {
    return await holdTogether({ tenant, ids }, acting);
  } catch (thrown) {
    // One row that cannot be taken over must not keep the others of its page from it.
    if (ids.length === 1 || isCountersignError(thrown, "database_unavailable")) throw thrown;
    return holdAlone({ tenant, ids }, acting);
  }
}

async function holdAlone({ tenant, ids }: { tenant: string; ids: readonly string[] }, acting: Acting): Promise<HeldOver> {
  const held: Held[] = [];
  const faults: unknown[] = [];
  let lost = 0;
  for (const id of ids) {
    try {
      const alone = await holdTogether({ tenant, ids: [id] }, acting);
      held.push(...alone.held);
      lost += alone.lost;
    } catch (thrown) {
      faults.push(thrown);
    }
  }
  return { held, lost, faults };
}

async function holdTogether({ tenant, ids }: { tenant: string; ids: readonly string[] }, acting: Acting): Promise<HeldOver> {
  const heldSinceMs = acting.clock.monotonic();
  const over = await acting.database.inTenant(tenant, async (tx) => {
    const now = await acting.storeTime(tx);
    const taken = await takeOver(tx, { tenant, ids, now, leaseMs: acting.leaseMs });
    const stories = openStories({ tx, tenant, keys: acting.measure.payloadKeys });
    await stories.load(taken.map(({ row }) => row.decision_id));
    const held: Held[] = [];
    let lost = 0;
    for (const one of taken) {
      const task = await taskOf(one.row, stories, acting);
      if (task === null) {
        await escalateLost({ tx, row: one.row, now, acting });
        lost += 1;
      } else held.push(heldOf({ taken: one, task, heldSinceMs }));
    }
    return { held, lost, faults: [] };
  });
  for (const held of over.held) acting.leases.watch(held, "looking");
  return over;
}

/** The effect of an operation as the ledger holds it; `null` where it cannot be read or is no longer part of this project. */
export async function taskOf(row: OperationRow, stories: Stories, { measure }: Acting): Promise<EffectTask | null> {
  try {
    const story = await stories.of(row.decision_id);
    const task =
      story === null ? null : await effectTask({ story, effectIndex: row.effect_index, project: measure.project, isBegun: true });
    const isSame = task?.kind === "effect" && task.proposed.paramsDigest === row.params_digest && task.effect.name === row.effect;
    return isSame ? task : null;
  } catch (thrown) {
    if (isOfDatabase(thrown)) throw thrown;
    return null;
  }
}

/** An operation that this project can no longer read freezes its key, a person is called, and its slice is taken back: it was left to people. */
async function escalateLost({ tx, row, now, acting }: { tx: Tx; row: OperationRow; now: number; acting: Acting }): Promise<void> {
  const { tenant, decision_id: decisionId, last_entry_id: cause, effect_index: effectIndex } = row;
  const id = acting.ids.next();
  const move = { state: "escalated", leaseUntil: now, dueAt: now, lastEntryId: id } as const;
  await moveOperations(tx, tenant, [{ id: row.id, fence: Number(row.fence), ...move }]);
  const frame = { id, tenant, ts: now, writer: "acting", decisionId, cause } as const;
  const facts = { operationId: row.id, effectIndex, reason: "definition_gone", owner: null };
  await writeEntries({ tx, drafts: [{ ...frame, kind: "escalated", facts, bodies: {} }], keys: acting.measure.payloadKeys });
  // The definition that named the owner is gone.
  const told = { tenant, decisionId, entryId: id };
  await writeNotices({ tx, notices: [{ ...told, kind: "escalated", to: { kind: "role", name: "owner" } }] });
  await tellOutcome(tx, told);
  const slice = await sliceOfDecision(tx, { tenant, decisionId });
  const demotions = slice === null ? [] : [{ ...slice, breach: "verification_failed", cause: id, decisionId } as const];
  await demoteSlices({ tx, demotions, now }, acting);
}

/** A taken operation as it is held. */
export function heldOf({
  taken: { row, foundState },
  task,
  heldSinceMs,
}: { taken: Taken } & Pick<Held, "task" | "heldSinceMs">): Held {
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
    heldSinceMs,
  };
}
