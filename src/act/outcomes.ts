import type { EffectTask } from "../approve/effect-task.ts";
import type { Refusal } from "../approve/refusal.ts";
import type { EntryDraft } from "../contract/entry.ts";
import { assertNever } from "../contract/errors.ts";
import { writeEntries } from "../ledger/entries.ts";
import { waitAgain } from "../ledger/lists.ts";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow, OperationRow } from "../store/tables.ts";
import type { Acting } from "./acting.ts";
import type { ApprovalEnd } from "./approvals.ts";
import type { Begun } from "./begin-operations.ts";
import { tellExpired, tellOutcome } from "./tell.ts";

/** What became of an approval under which nothing was begun. */
export interface Settled {
  readonly row: ApprovalRow;
  readonly outcome:
    | { readonly kind: "refused"; readonly reason: Refusal }
    | { readonly kind: "expired" | "withdrawn" | "slice_set" }
    | { readonly kind: "left"; readonly isKeyTaken: boolean }
    /** The change was found done under the same business key by an earlier operation. */
    | { readonly kind: "joined"; readonly task: EffectTask; readonly holder: OperationRow };
  /** How its row ends; `null` where it stays as it is, or is consumed with others. */
  readonly ends: ApprovalEnd["state"] | null;
  /** The approvals that a joining consumes. */
  readonly consumes?: readonly string[];
}

interface Writing {
  readonly tx: Tx;
  readonly tenant: string;
  readonly now: number;
  readonly acting: Acting;
}

/** Writes the entries of what was begun and of what was not, and tells whom it concerns, in the caller's transaction. */
export async function recordOutcomes({
  settled,
  begun,
  ...writing
}: Writing & { settled: readonly Settled[]; begun: readonly Begun[] }): Promise<void> {
  const { tx, acting } = writing;
  const drafted = settled.flatMap((one) => {
    const draft = draftOf(one, writing);
    return draft === null ? [] : [{ ...one, draft }];
  });
  const drafts = [...begun.map(({ draft }) => draft), ...drafted.map(({ draft }) => draft)];
  await writeEntries({ tx, drafts, keys: acting.measure.payloadKeys });
  for (const one of drafted) await tell(one, writing);
}

function draftOf({ row, outcome }: Settled, { now, acting: { ids, measure } }: Writing): EntryDraft | null {
  const { id: approvalId, effect_index: effectIndex, tenant, decision_id: decisionId, entry_id: cause } = row;
  const frame = { tenant, ts: now, writer: "acting", decisionId, cause } as const;
  switch (outcome.kind) {
    case "refused": {
      const { code, rule, reason, policies } = outcome.reason;
      const byPolicy = policies === undefined ? {} : { policy: measure.policy.version, policies };
      const facts = { approvalId, code, rule, effectIndex, ...byPolicy };
      return { ...frame, id: ids.next(), kind: "refused", facts, bodies: { reason } };
    }
    case "expired":
      return { ...frame, id: ids.next(), kind: "expired", facts: { approvalId, effectIndex }, bodies: {} };
    case "joined": {
      const { holder, task } = outcome;
      const joins = { operationId: holder.id, joins: holder.last_entry_id, verdict: "complete" };
      const bodies = { expected: task.proposed.expected };
      return {
        ...frame,
        id: ids.next(),
        kind: "observed",
        facts: { approvalId, effectIndex: task.effectIndex, ...joins },
        bodies,
      };
    }
    case "withdrawn":
    case "slice_set":
    case "left":
      return null;
    default:
      return assertNever(outcome);
  }
}

/** What was never issued, or was used before, says nothing of what became of the proposal. */
const isNoOutcome: ReadonlySet<Refusal["code"]> = new Set(["approval_invalid", "approval_used"]);

async function tell({ row, outcome, draft }: Settled & { draft: EntryDraft }, { tx, acting }: Writing): Promise<void> {
  const { tenant, decision_id: decisionId } = row;
  if (decisionId === null) return;
  const told = { tenant, decisionId, entryId: draft.id };
  if (outcome.kind === "expired") {
    await waitAgain(tx, told);
    await tellExpired(tx, told, acting);
  } else if (outcome.kind === "refused") {
    if (!isNoOutcome.has(outcome.reason.code)) await tellOutcome(tx, told);
  } else if (outcome.kind === "joined" && outcome.task.effectIndex === outcome.task.proposal.effects.length - 1) {
    await tellOutcome(tx, told);
  }
}
