import { openAccounts } from "../approve/accounts.ts";
import { openStories } from "../approve/stories.ts";
import { unverifiable } from "../approve/unverifiable.ts";
import { verifyApproval } from "../approve/verify.ts";
import { stoppedScopes } from "../ledger/halts.ts";
import { attempt } from "../store/attempt.ts";
import type { Tx } from "../store/database.ts";
import type { Acting } from "./acting.ts";
import { sendAgain } from "./apply.ts";
import { applyingFacts } from "./applying.ts";
import { compensate } from "./compensate.ts";
import { type Held, type Sendable, sendingMs } from "./held.ts";
import { nextStep, type Standing } from "./next-step.ts";
import { type Observation, observe } from "./observe.ts";
import { raiseFence } from "./raise-fence.ts";
import { inTenant, type Recording, recordIn } from "./record.ts";
import { standingOf, stepsOf } from "./settle.ts";

/** While a stop holds, how long an operation that would be sent again is left alone, in milliseconds. */
const stoppedMs = 2_000;

/**
 * Looks at an operation that was taken over before anything else: what is as expected is accepted, what is proven not there may be
 * sent again under the same idempotency key, the rest waits, is undone, or goes to a person.
 */
export async function reconcile(held: Held, acting: Acting): Promise<void> {
  try {
    if (held.foundState === "compensating") return await compensate(held, acting);
    const raised = await raiseFence(held, acting);
    const observation = raised.kind === "raised" ? await observe(held.task, acting) : unreadable(raised.fault);
    if (await conclude(held, observation, acting)) return;
    const sendable = await inTenant({
      tenant: held.tenant,
      parts: acting,
      work: (tx) => prepareRetry({ tx, held, observation, acting }),
    });
    if (sendable !== null) await sendAgain(sendable, acting);
  } finally {
    acting.leases.forget(held);
  }
}

/** What was seen before the target knew the fence would prove nothing. */
function unreadable(fault: string): Observation {
  return { kind: "unreadable", fault };
}

/** Records what follows the look, unless that is a send; says whether it did. */
async function conclude(held: Held, observation: Observation, acting: Acting): Promise<boolean> {
  const after = await acting.recorder.record({
    held,
    recording: (now) => {
      const step = nextStep(standing({ held, observation, now }));
      // Held on to, with nothing written of it: whether it may be sent is asked in a transaction of its own.
      return step.kind === "retry" ? keep(now, acting) : stepsOf({ step, observation, held, now });
    },
  });
  return after.foundState !== retried;
}

/** The state of what is to be sent again and is not yet: nothing is known of it, and it is held. */
const retried = "retrying";

function keep(now: number, { leaseMs }: Acting): ReturnType<Recording> {
  return { steps: [], move: { state: retried, leaseUntil: now + leaseMs, dueAt: now + leaseMs } };
}

function standing({ held, observation, now }: { held: Held; observation: Observation; now: number }): Standing {
  const { foundState } = held;
  const state = foundState === "applied" || foundState === "incomplete" ? foundState : "unknown";
  return standingOf({ held, observation, now, state });
}

/** Before a send is repeated the approval is verified anew: it was consumed by this operation, and must still hold in all else. */
async function prepareRetry({
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
  const { tenant, approvalId, task } = held;
  const now = await acting.storeTime(tx);
  const stopped = await stoppedScopes(tx, tenant);
  if (stopped.isStopped({ effect: task.effect.name, capability: task.proposal.capability })) {
    await write({ tx, held, acting, recording: () => waitWhileStopped(held, observation, now) });
    return null;
  }
  const row = await tx
    .selectFrom("approval")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("id", "=", approvalId)
    .executeTakeFirstOrThrow();
  const stories = openStories({ tx, tenant, keys: acting.measure.payloadKeys });
  const accounts = openAccounts({ tx, tenant, rolesFrom: acting.measure.rolesFrom });
  const attempted = await attempt(tx, () =>
    verifyApproval({ tx, row, now, expects: "consumed", measure: acting.measure, stories, accounts }),
  );
  const verified = attempted.kind === "done" ? attempted.value : unverifiable(attempted.thrown);
  if (verified.kind !== "approved" || verified.approved.kind !== "effect") {
    const { code, rule } = verified.kind === "refused" ? verified : { code: "approval_mismatch", rule: "signatures" };
    // Proven not there, and nothing more will be sent: the key is free again.
    const refused = { kind: "refused", facts: { approvalId, code, rule } } as const;
    const move = { state: "refused", leaseUntil: now, dueAt: now } as const;
    await write({ tx, held, acting, recording: () => ({ steps: [refused], move }) });
    return null;
  }
  const leaseUntil = now + acting.leaseMs;
  const attempts = held.attempts + 1;
  const lastSendAt = now + sendingMs(acting.leaseMs, task.effect);
  const move = { state: "retrying", leaseUntil, dueAt: leaseUntil, lastSendAt, attempts } as const;
  const applying = { kind: "applying", facts: applyingFacts({ ...held, attempt: attempts }, acting) } as const;
  const next = await write({ tx, held, acting, recording: () => ({ steps: [applying], move }) });
  acting.leases.enter(next, "unsent");
  return { held: next, licence: verified.approved, unsent: held };
}

/** Nothing is sent while a stop holds. Its time runs on: what is not made by the deadline goes to a person. */
function waitWhileStopped(held: Held, observation: Observation, now: number): ReturnType<Recording> {
  const dueAt = Math.min(now + stoppedMs, Math.max(held.deadlineAt, now));
  return stepsOf({ step: { kind: "wait", state: "unknown", verdict: "unknown", dueAt }, observation, held, now });
}

/** Records one operation in the caller's transaction; throws `fenced_off`, and so undoes it, where another worker has it. */
async function write({
  tx,
  held,
  acting,
  recording,
}: {
  tx: Tx;
  held: Held;
  acting: Acting;
  recording: Recording;
}): Promise<Held> {
  const [written] = await recordIn({ tx, reports: [{ held, recording }], parts: acting });
  if (written === undefined || written instanceof Error) throw written ?? new Error("nothing was recorded");
  return written;
}
