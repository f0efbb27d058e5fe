import { CountersignError } from "../contract/errors.ts";
import { type EffectTask, effectTask } from "../approve/effect-task.ts";
import { verifyApproval } from "../approve/verify.ts";
import { writeEntries } from "../ledger/entries.ts";
import { readDecision } from "../ledger/read.ts";
import type { Tx } from "../store/database.ts";
import type { OperationRow } from "../store/tables.ts";
import { type Acting, type Held, leaseMsOf, type Sendable } from "./acting.ts";
import { applyingFacts } from "./applying.ts";
import { send } from "./apply.ts";
import { nextStep, type Standing } from "./next-step.ts";
import { type Observation, observe } from "./observe.ts";
import { moveOperation, takeOver } from "./operations.ts";
import { recordStepsIn } from "./record.ts";
import { standingOf, stepsOf } from "./settle.ts";

/**
 * Takes a due operation over and looks before anything else: what is as expected is accepted, what is proven not there may be sent
 * again under the same idempotency key, the rest waits or goes to a person. Returns whether there was something to take over.
 */
export async function reconcile({ tenant, id }: { tenant: string; id: string }, acting: Acting): Promise<boolean> {
  const held = await hold({ tenant, id }, acting);
  if (held === undefined) return false;
  if (held.kind === "lost") return true;
  const observation = await observe(held.held.task, acting);
  const sendable = await acting.database.inTenant(tenant, (tx) => concludeIn({ tx, held: held.held, observation, acting }));
  if (sendable !== null) await send(sendable, acting);
  return true;
}

async function hold({ tenant, id }: { tenant: string; id: string }, acting: Acting): Promise<{ kind: "held"; held: Held } | { kind: "lost" } | undefined> {
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
  try {
    const story = await readDecision({ tx, tenant: row.tenant, decisionId: row.decision_id, keys: measure.payloadKeys });
    if (story === null) return null;
    const task = await effectTask({ story, effectIndex: row.effect_index, project: measure.project });
    const isSame = task.kind === "effect" && task.proposed.paramsDigest === row.params_digest && task.effect.name === row.effect;
    return isSame ? task : null;
  } catch (thrown) {
    if (thrown instanceof CountersignError) return null;
    throw thrown;
  }
}

/** An operation that this project can no longer read freezes its key, and a person is called. */
async function escalateLost({ tx, row, now, acting }: { tx: Tx; row: OperationRow; now: number; acting: Acting }): Promise<{ kind: "lost" }> {
  const id = acting.ids.next();
  await moveOperation(tx, { tenant: row.tenant, id: row.id, fence: Number(row.fence) }, { state: "escalated", leaseUntil: now, dueAt: now, lastEntryId: id });
  const frame = { id, tenant: row.tenant, ts: now, writer: "acting", decisionId: row.decision_id, cause: row.last_entry_id } as const;
  const facts = { operationId: row.id, effectIndex: row.effect_index, reason: "definition_gone", owner: null };
  await writeEntries({ tx, drafts: [{ ...frame, kind: "escalated", facts, bodies: {} }], keys: acting.measure.payloadKeys });
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

/** Decides and records in one commit; returns what is to be sent again, if anything. */
async function concludeIn({
  tx,
  held,
  observation,
  acting,
}: {
  tx: Tx;
  held: Held;
  observation: Observation;
  acting: Acting;
}): Promise<Sendable | null> {
  const now = await acting.storeTime(tx);
  const step = nextStep(standingOf({ held, observation, now, state: standingState(held) }));
  if (step.kind === "retry") return prepareRetry({ tx, held, now, acting });
  await recordStepsIn({ tx, held, acting, recording: () => stepsOf({ step, observation, held, now }) });
  return null;
}

function standingState({ foundState }: Held): Standing["state"] {
  return foundState === "applied" || foundState === "incomplete" ? foundState : "unknown";
}

/** Before a send is repeated the approval is verified anew: it was consumed by this operation, and must still hold in all else. */
async function prepareRetry({ tx, held, now, acting }: { tx: Tx; held: Held; now: number; acting: Acting }): Promise<Sendable | null> {
  const { tenant, approvalId } = held;
  const row = await tx.selectFrom("approval").selectAll().where("tenant", "=", tenant).where("id", "=", approvalId).executeTakeFirstOrThrow();
  const verified = await verifyApproval({ tx, row, now, expects: "consumed", measure: acting.measure });
  if (verified.kind === "refused" || verified.approved.kind !== "effect") {
    const { code, rule } = verified.kind === "refused" ? verified : { code: "approval_mismatch", rule: "subject" };
    // Proven not there, and nothing more will be sent: the key is free again.
    const refused = { kind: "refused", facts: { approvalId, code, rule } } as const;
    await recordStepsIn({ tx, held, acting, recording: () => ({ steps: [refused], move: { state: "refused", leaseUntil: now, dueAt: now } }) });
    return null;
  }
  const leaseUntil = now + held.leaseMs;
  const move = { state: "retrying", leaseUntil, dueAt: leaseUntil, lastSendAt: leaseUntil, attempts: held.attempts + 1 } as const;
  const applying = { kind: "applying", facts: applyingFacts(held, acting) } as const;
  const next = await recordStepsIn({ tx, held, acting, recording: () => ({ steps: [applying], move }) });
  return { held: next, licence: verified.approved };
}
