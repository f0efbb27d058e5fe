import type { EffectTask } from "../approve/effect-task.ts";
import type { Refusal } from "../approve/refusal.ts";
import type { EntryDraft } from "../contract/entry.ts";
import { writeEntries } from "../ledger/entries.ts";
import { waitAgain } from "../ledger/lists.ts";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow, OperationRow } from "../store/tables.ts";
import type { Acting } from "./acting.ts";
import { tellExpired, tellOutcome } from "./tell.ts";

interface Outcome {
  readonly tx: Tx;
  readonly row: ApprovalRow;
  readonly now: number;
  readonly acting: Acting;
}

/** Records that an approval was refused, with code and rule. Nothing was sent. */
export async function recordRefused({ tx, row, now, acting, reason }: Outcome & { reason: Refusal }): Promise<void> {
  const facts = { approvalId: row.id, code: reason.code, rule: reason.rule, effectIndex: row.effect_index };
  const draft: EntryDraft = { ...frameOf(row, now, acting), kind: "refused", facts, bodies: { reason: reason.reason } };
  await writeEntries({ tx, drafts: [draft], keys: acting.measure.payloadKeys });
  const { tenant, decision_id: decisionId } = row;
  if (decisionId !== null && !isNoOutcome.has(reason.code))
    await tellOutcome(tx, { tenant, decisionId, entryId: draft.id }, acting);
}

/** What was never issued, or was used before, says nothing of what became of the proposal. */
const isNoOutcome: ReadonlySet<Refusal["code"]> = new Set(["approval_invalid", "approval_used"]);

/** Records that an approval expired before anything was begun under it; the proposal may be signed again. */
export async function recordExpired({ tx, row, now, acting }: Outcome): Promise<void> {
  const facts = { approvalId: row.id, effectIndex: row.effect_index };
  const draft: EntryDraft = { ...frameOf(row, now, acting), kind: "expired", facts, bodies: {} };
  await writeEntries({ tx, drafts: [draft], keys: acting.measure.payloadKeys });
  const { tenant, decision_id: decisionId } = row;
  if (decisionId === null) return;
  await waitAgain(tx, { tenant, decisionId });
  await tellExpired(tx, { tenant, decisionId, entryId: draft.id }, acting);
}

/** Records that the change was found done under the same business key by an earlier operation: one key, one consequence. */
export async function recordJoined({
  tx,
  row,
  now,
  acting,
  task,
  holder,
}: Outcome & { task: EffectTask; holder: OperationRow }): Promise<void> {
  const facts = {
    operationId: holder.id,
    approvalId: row.id,
    effectIndex: task.effectIndex,
    verdict: "complete",
    joins: holder.last_entry_id,
  };
  const bodies = { expected: task.proposed.expected };
  const draft: EntryDraft = { ...frameOf(row, now, acting), kind: "observed", facts, bodies };
  await writeEntries({ tx, drafts: [draft], keys: acting.measure.payloadKeys });
  if (task.effectIndex === task.proposal.effects.length - 1)
    await tellOutcome(tx, { tenant: row.tenant, decisionId: task.decisionId, entryId: draft.id }, acting);
}

function frameOf(
  row: ApprovalRow,
  now: number,
  { ids }: Acting,
): Pick<EntryDraft, "id" | "tenant" | "ts" | "writer" | "decisionId" | "cause"> {
  return { id: ids.next(), tenant: row.tenant, ts: now, writer: "acting", decisionId: row.decision_id, cause: row.entry_id };
}
