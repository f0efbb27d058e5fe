import { unverifiable } from "../approve/unverifiable.ts";
import { verifyApproval } from "../approve/verify.ts";
import { attempt } from "../store/attempt.ts";
import type { Tx } from "../store/database.ts";
import type { Acting, Held, Sendable } from "./acting.ts";
import { send } from "./apply.ts";
import { applyingFacts } from "./applying.ts";
import { hold } from "./hold.ts";
import { nextStep, type Standing } from "./next-step.ts";
import { type Observation, observe } from "./observe.ts";
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
async function prepareRetry({
  tx,
  held,
  now,
  acting,
}: {
  tx: Tx;
  held: Held;
  now: number;
  acting: Acting;
}): Promise<Sendable | null> {
  const { tenant, approvalId } = held;
  const row = await tx
    .selectFrom("approval")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("id", "=", approvalId)
    .executeTakeFirstOrThrow();
  const attempted = await attempt(tx, () => verifyApproval({ tx, row, now, expects: "consumed", measure: acting.measure }));
  const verified = attempted.kind === "done" ? attempted.value : unverifiable(attempted.thrown);
  if (verified.kind !== "approved" || verified.approved.kind !== "effect") {
    const { code, rule } = verified.kind === "refused" ? verified : { code: "approval_mismatch", rule: "signatures" };
    // Proven not there, and nothing more will be sent: the key is free again.
    const refused = { kind: "refused", facts: { approvalId, code, rule } } as const;
    await recordStepsIn({
      tx,
      held,
      acting,
      recording: () => ({ steps: [refused], move: { state: "refused", leaseUntil: now, dueAt: now } }),
    });
    return null;
  }
  const leaseUntil = now + held.leaseMs;
  const move = { state: "retrying", leaseUntil, dueAt: leaseUntil, lastSendAt: leaseUntil, attempts: held.attempts + 1 } as const;
  const applying = { kind: "applying", facts: applyingFacts(held, acting) } as const;
  const next = await recordStepsIn({ tx, held, acting, recording: () => ({ steps: [applying], move }) });
  return { held: next, licence: verified.approved };
}
