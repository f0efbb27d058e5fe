import type { LicensedEffect } from "../approve/licence.ts";
import type { Approved } from "../contract/approval.ts";
import type { EntryDraft } from "../contract/entry.ts";
import { writeEntries } from "../ledger/entries.ts";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow } from "../store/tables.ts";
import type { Acting, Held } from "./acting.ts";
import { applyingFacts } from "./applying.ts";
import { insertOperation, nextGeneration } from "./operations.ts";

/**
 * Inserts the operation under its business key and writes `applying`, in the caller's transaction. `null` where the key is taken.
 */
export async function beginOperation({
  tx,
  row,
  now,
  acting,
  licence,
  heldSinceMs,
  leaseMs,
}: {
  tx: Tx;
  row: ApprovalRow;
  now: number;
  acting: Acting;
  licence: Approved<LicensedEffect>;
  heldSinceMs: number;
  leaseMs: number;
}): Promise<Held | null> {
  const { task, approvedEntryId, second } = licence;
  const { tenant, effect, proposed, decisionId, effectIndex } = task;
  const generation = await nextGeneration(tx, { tenant, effect: effect.name, key: proposed.key });
  const held: Held = {
    tenant,
    id: acting.ids.next(),
    task,
    approvalId: row.id,
    generation,
    attempts: 0,
    fence: 1,
    foundState: "applying",
    lastEntryId: acting.ids.next(),
    createdAt: now,
    deadlineAt: now + effect.expect.deadlineMs,
    lastSendAt: now + leaseMs,
    leaseMs,
    heldSinceMs,
  };
  const isInserted = await insertOperation(tx, {
    tenant,
    id: held.id,
    effect: effect.name,
    key: proposed.key,
    generation,
    params_digest: proposed.paramsDigest,
    decision_id: decisionId,
    effect_index: effectIndex,
    approval_id: row.id,
    second_approval_id: second?.approvalId ?? null,
    state: "applying",
    fence: 1,
    lease_until: new Date(now + leaseMs),
    due_at: new Date(now + leaseMs),
    deadline_at: new Date(held.deadlineAt),
    // Until a later step says more: a send of this lease may be on its way as long as the lease runs.
    last_send_at: new Date(held.lastSendAt),
    attempts: 1,
    last_entry_id: held.lastEntryId,
  });
  if (!isInserted) return null;
  const frame = { id: held.lastEntryId, tenant, ts: now, writer: "acting", decisionId, cause: approvedEntryId } as const;
  const approvals = { approvalId: row.id, ...(second === null ? {} : { secondApprovalId: second.approvalId }) };
  const facts = { operationId: held.id, effectIndex, ...approvals, ...applyingFacts(held, acting) };
  const draft: EntryDraft = { ...frame, kind: "applying", facts, bodies: {} };
  await writeEntries({ tx, drafts: [draft], keys: acting.measure.payloadKeys });
  return { ...held, attempts: 1 };
}
