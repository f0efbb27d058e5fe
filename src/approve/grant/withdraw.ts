import type { EntryDraft } from "../../contract/entry.ts";
import { CountersignError } from "../../contract/errors.ts";
import { writeEntries } from "../../ledger/entries.ts";
import { waitAgain } from "../../ledger/lists.ts";
import { reviewers, writeNotices } from "../../ledger/notices.ts";
import type { DecisionStory } from "../../ledger/story.ts";
import type { Tx } from "../../store/database.ts";
import type { ApprovalRow } from "../../store/tables.ts";
import type { Answered, Answering, Signing } from "./answering.ts";
import { lockClaim, readBehindLock, readSeen } from "./waiting.ts";

/**
 * Takes back every approval that this person gave of a decision and that nothing was begun under; the effects wait again. Throws
 * `not_found`, or `approval_used` where there is none: none was given, or the effect is being applied.
 */
export async function withdrawApprovals(answering: Answering, signing: Signing): Promise<Answered> {
  const { tx, principal, decisionId, now } = answering;
  await readSeen(answering, signing);
  await lockClaim(answering);
  const story = await readBehindLock(answering, signing, "mark");
  const own = openOf(story, principal.id);
  if (own.length === 0) throw nothingToWithdraw(story, principal.id);
  const drafts = own.map((row): EntryDraft => {
    const facts = { approvalId: row.id, effectIndex: row.effect_index, by: principal.id };
    const frame = { id: signing.ids.next(), tenant: principal.tenant, ts: now, writer: "desk", decisionId } as const;
    return { ...frame, cause: row.entry_id, kind: "withdrawn", facts, bodies: {} };
  });
  // Before anything of what waits is touched: the acting half takes an approval first and its place on the list then.
  await insertWithdrawals(tx, drafts);
  await writeEntries({ tx, drafts, keys: signing.payloadKeys });
  await waitAgain(tx, { tenant: principal.tenant, decisionId });
  const notices = drafts.slice(0, 1).map(({ tenant, id: entryId }) => {
    return { tenant, kind: "waiting_review", decisionId, entryId, to: reviewers } as const;
  });
  await writeNotices({ tx, notices });
  return { decisionId, entryIds: drafts.map(({ id }) => id), approvalIds: own.map(({ id }) => id) };
}

function openOf({ approvals, following }: DecisionStory, approver: string): readonly ApprovalRow[] {
  const withdrawn = new Set(following.filter(({ kind }) => kind === "withdrawn").map(({ body }) => body["approvalId"]));
  return approvals.filter(
    (row) => row.granted_by === "person" && row.approver === approver && row.state === "granted" && !withdrawn.has(row.id),
  );
}

/**
 * Invariant: of withdrawing and applying one is first. Each row waits for whoever holds its approval for update; after that wait the
 * approval's state says which of the two it was.
 */
async function insertWithdrawals(tx: Tx, drafts: readonly EntryDraft[]): Promise<void> {
  for (const { tenant, id, facts } of drafts) {
    const approvalId = String(facts["approvalId"]);
    await tx.insertInto("withdrawal").values({ tenant, approval_id: approvalId, entry_id: id }).execute();
    const { state } = await tx
      .selectFrom("approval")
      .select("state")
      .where("tenant", "=", tenant)
      .where("id", "=", approvalId)
      .executeTakeFirstOrThrow();
    if (state !== "granted") throw tooLate(state);
  }
}

function nothingToWithdraw({ approvals }: DecisionStory, approver: string): CountersignError {
  const last = approvals.filter((row) => row.approver === approver && row.granted_by === "person").at(-1);
  if (last !== undefined) return tooLate(last.state);
  return new CountersignError("approval_used", "you have signed nothing of it that could be withdrawn", {
    facts: { rule: "nothing_signed" },
  });
}

function tooLate(state: ApprovalRow["state"]): CountersignError {
  const isBegun = state === "consumed";
  const message = isBegun ? "applying has begun; it can no longer be withdrawn" : "your signature stands no more";
  return new CountersignError("approval_used", message, { facts: { rule: isBegun ? "apply_started" : state } });
}
