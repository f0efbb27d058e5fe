import type { LicensedEffect } from "../approve/licence.ts";
import type { Approved } from "../contract/approval.ts";
import type { EntryDraft } from "../contract/entry.ts";
import type { Tx } from "../store/database.ts";
import type { Acting } from "./acting.ts";
import { applyingFacts } from "./applying.ts";
import { type Held, type Sendable, sendingMs } from "./held.ts";
import { insertOperations, type NewOperation } from "./operations.ts";

/** One effect that is to begin under an approval that was judged good. */
export interface Beginning {
  readonly approvalId: string;
  readonly licence: Approved<LicensedEffect>;
}

/** An operation that was begun, with the entry that says so. */
export interface Begun {
  readonly beginning: Beginning;
  readonly sendable: Sendable;
  readonly draft: EntryDraft;
}

/**
 * Inserts operations under their business keys with fence, lease and deadline, in the caller's transaction; the caller writes their
 * `applying` entries. Those whose key is taken are not among what it returns.
 */
export async function beginOperations({
  tx,
  tenant,
  beginnings,
  now,
  heldSinceMs,
  acting,
}: {
  tx: Tx;
  tenant: string;
  beginnings: readonly Beginning[];
  now: number;
  /** By the monotonic clock of this process, before the commit. */
  heldSinceMs: number;
  acting: Acting;
}): Promise<readonly Begun[]> {
  const prepared = beginnings.map((beginning) => prepare({ beginning, now, heldSinceMs, acting }));
  const generations = await insertOperations(tx, tenant, prepared.map(operationOf));
  return prepared.flatMap((one) => {
    const generation = generations.get(one.id);
    return generation === undefined ? [] : [begunOf({ prepared: one, generation, now, acting })];
  });
}

/** What is known of an operation before its key is taken. */
interface Prepared extends Omit<Held, "generation"> {
  readonly beginning: Beginning;
  readonly leaseUntil: number;
}

function prepare({
  beginning,
  now,
  heldSinceMs,
  acting,
}: {
  beginning: Beginning;
  now: number;
  heldSinceMs: number;
  acting: Acting;
}): Prepared {
  const { task } = beginning.licence;
  return {
    beginning,
    leaseUntil: now + acting.leaseMs,
    tenant: task.tenant,
    id: acting.ids.next(),
    task,
    approvalId: beginning.approvalId,
    attempts: 1,
    fence: 1,
    foundState: "applying",
    lastEntryId: acting.ids.next(),
    createdAt: now,
    deadlineAt: now + task.effect.expect.deadlineMs,
    // Until a later step says more: a send of this lease may be on its way until then.
    lastSendAt: now + sendingMs(acting.leaseMs, task.effect),
    heldSinceMs,
  };
}

function operationOf({ id, task, beginning, leaseUntil, deadlineAt, lastSendAt, lastEntryId }: Prepared): NewOperation {
  const { decisionId, effectIndex, effect, proposed } = task;
  const { approvalId, licence } = beginning;
  return {
    ...{ id, lastEntryId, deadlineAt, lastSendAt, approvalId, decisionId, effectIndex, leaseUntil },
    effect: effect.name,
    key: proposed.key,
    paramsDigest: proposed.paramsDigest,
    secondApprovalId: licence.second?.approvalId ?? null,
  };
}

function begunOf({
  prepared: { beginning, leaseUntil: _, ...known },
  generation,
  now,
  acting,
}: {
  prepared: Prepared;
  generation: number;
  now: number;
  acting: Acting;
}): Begun {
  const held: Held = { ...known, generation };
  const { licence } = beginning;
  return {
    beginning,
    sendable: { held, licence, unsent: { attempts: 0, lastSendAt: now } },
    draft: draftOf({ held, licence, now, acting }),
  };
}

function draftOf({
  held,
  licence: { task, approvedEntryId, second },
  now,
  acting,
}: Pick<Sendable, "held" | "licence"> & { now: number; acting: Acting }): EntryDraft {
  const { tenant, decisionId, effectIndex } = task;
  const { id: operationId, approvalId } = held;
  const approvals = { approvalId, ...(second === null ? {} : { secondApprovalId: second.approvalId }) };
  const facts = { ...applyingFacts({ ...held, attempt: 1 }, acting), effectIndex, operationId, ...approvals };
  const frame = { id: held.lastEntryId, tenant, ts: now, writer: "acting", decisionId, cause: approvedEntryId } as const;
  return { ...frame, kind: "applying", facts, bodies: {} };
}
