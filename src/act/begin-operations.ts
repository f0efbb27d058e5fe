import type { LicensedEffect } from "../approve/licence.ts";
import type { Approved } from "../contract/approval.ts";
import type { EntryDraft } from "../contract/entry.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Tx } from "../store/database.ts";
import type { Acting } from "./acting.ts";
import { applyingFacts } from "./applying.ts";
import { type Held, type Sendable, sendingMs } from "./held.ts";
import { type BusinessKey, insertOperations, lastFreed, type NewOperation } from "./operations.ts";

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
  const keys = beginnings.map(({ licence: { task } }) => ({ effect: task.effect.name, key: task.proposed.key }));
  const generations = await lastFreed(tx, tenant, keys);
  const last = new Map(generations.map(({ effect, key, generation }) => [`${effect}\n${key}`, generation]));
  const prepared = beginnings.map((beginning, i) => {
    const { effect = "", key = "" } = keys[i] ?? {};
    return prepare({ beginning, generation: (last.get(`${effect}\n${key}`) ?? 0) + 1, now, heldSinceMs, acting });
  });
  const inserted = await insertOperations(
    tx,
    tenant,
    prepared.map(({ operation }) => operation),
  );
  await refuseOldGenerations({ tx, tenant, keys, prepared, inserted });
  return prepared.flatMap(({ begun }) => (inserted.has(begun.sendable.held.id) ? [begun] : []));
}

/**
 * A rival that began and freed a key between the look at its generations and the insert had the generation that was given here: two
 * operations with one idempotency key. The transaction is undone then, and the next round looks anew.
 */
async function refuseOldGenerations({
  tx,
  tenant,
  keys,
  prepared,
  inserted,
}: {
  tx: Tx;
  tenant: string;
  keys: readonly BusinessKey[];
  prepared: readonly { readonly operation: NewOperation }[];
  inserted: ReadonlySet<string>;
}): Promise<void> {
  const freed = await lastFreed(tx, tenant, keys);
  const taken = prepared.find(
    ({ operation: { id, effect, key, generation } }) =>
      inserted.has(id) && freed.some((one) => one.effect === effect && one.key === key && one.generation >= generation),
  );
  if (taken !== undefined)
    throw new CountersignError("key_conflict", "a business key was used and freed in the same instant; it is looked at again");
}

function prepare({
  beginning,
  generation,
  now,
  heldSinceMs,
  acting,
}: {
  beginning: Beginning;
  generation: number;
  now: number;
  heldSinceMs: number;
  acting: Acting;
}): { readonly operation: NewOperation; readonly begun: Begun } {
  const { approvalId, licence } = beginning;
  const { task, second } = licence;
  const held = newHeld({ beginning, generation, now, heldSinceMs, acting });
  const { id, lastEntryId, deadlineAt, lastSendAt } = held;
  const operation: NewOperation = {
    ...{ id, generation, lastEntryId, deadlineAt, lastSendAt, approvalId },
    effect: task.effect.name,
    key: task.proposed.key,
    paramsDigest: task.proposed.paramsDigest,
    decisionId: task.decisionId,
    effectIndex: task.effectIndex,
    secondApprovalId: second?.approvalId ?? null,
    leaseUntil: now + acting.leaseMs,
  };
  return {
    operation,
    begun: {
      beginning,
      sendable: { held, licence, unsent: { attempts: 0, lastSendAt: now } },
      draft: draftOf({ held, licence, now, acting }),
    },
  };
}

function newHeld({
  beginning: { approvalId, licence },
  generation,
  now,
  heldSinceMs,
  acting,
}: Parameters<typeof prepare>[0]): Held {
  const { task } = licence;
  return {
    tenant: task.tenant,
    id: acting.ids.next(),
    task,
    approvalId,
    generation,
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

function draftOf({
  held,
  licence: { task, approvedEntryId, second },
  now,
  acting,
}: Pick<Sendable, "held" | "licence"> & { now: number; acting: Acting }): EntryDraft {
  const { tenant, decisionId, effectIndex } = task;
  const approvals = {
    approvalId: held.approvalId,
    ...(second === null ? {} : { secondApprovalId: second.approvalId }),
  };
  const facts = { ...applyingFacts({ ...held, attempt: 1 }, acting), effectIndex, operationId: held.id, ...approvals };
  const frame = { id: held.lastEntryId, tenant, ts: now, writer: "acting", decisionId, cause: approvedEntryId } as const;
  return { ...frame, kind: "applying", facts, bodies: {} };
}
