/**
 * Where people sign, at the desk: one approval per effect of a proposal, or one rejection of the whole. The first answer stands.
 * Never verifies for the acting half and never signs for policy; the acting half checks again whatever is written here.
 */
import type { EntryDraft } from "../contract/entry.ts";
import { CountersignError } from "../contract/errors.ts";
import { writeEntries } from "../ledger/entries.ts";
import type { Answered, Answering, Signing } from "./grant/answering.ts";
import { newGrant, recordGrants, subjectOf } from "./grant/record.ts";
import { checkCurrent, checkSigner, lockWaiting } from "./grant/waiting.ts";

export type { Answered, Signing } from "./grant/answering.ts";
export { grantSlice } from "./grant/slice.ts";

/**
 * Signs every effect of a waiting proposal for a person. Throws `not_found`, `not_waiting`, `approval_used` where it was answered
 * before, `approval_mismatch` where the capability has a newer version, `approver_not_permitted` with the rule.
 */
export async function grantApprovals(answering: Answering, signing: Signing): Promise<Answered> {
  const { tx, principal, decisionId, now } = answering;
  const { outcome, proposal } = await lockWaiting(answering, signing);
  if (proposal === null)
    throw new CountersignError("not_waiting", "the decision has no proposal to approve; reject it or ask anew");
  checkCurrent(signing.project, proposal);
  const { tenant, id: approver } = principal;
  const risks = proposal.effects.length === 0 ? [null] : proposal.effects.map((effect) => effect.risk);
  for (const risk of risks) checkSigner({ principal, signing, proposal, risk });
  const grants = proposal.effects.map((effect) =>
    newGrant({ tenant, approver, role: "approver", now, signing, subject: subjectOf(proposal, effect) }),
  );
  if (grants.length > 0)
    return { decisionId, ...(await recordGrants({ tx, grants, decisionId, cause: outcome.id, now, signing })) };
  // An answer that waited for review: there is nothing to apply, so the entry alone says that a person released it.
  const facts = { approvalId: null, approver, approverKind: "person", role: "approver", effectIndex: null, subject: null };
  return record({ answering, signing, cause: outcome.id, kind: "approved", facts, bodies: {} });
}

/** Rejects a waiting proposal as a whole, with a reason. Throws as `grantApprovals` does. */
export async function rejectProposal(answering: Answering & { readonly reason: string }, signing: Signing): Promise<Answered> {
  const { principal, reason } = answering;
  const { outcome, proposal } = await lockWaiting(answering, signing);
  // A decision that stopped for a person has no proposal; its entry says who asked.
  const asker = proposal ?? { requestedBy: String(outcome.body["principal"]), onBehalfOf: null };
  checkSigner({ principal, signing, proposal: { ...asker, tenant: principal.tenant }, risk: null });
  return record({ answering, signing, cause: outcome.id, kind: "rejected", facts: { by: principal.id }, bodies: { reason } });
}

async function record({
  answering,
  signing,
  ...rest
}: { answering: Answering; signing: Signing } & Pick<EntryDraft, "cause" | "kind" | "facts" | "bodies">): Promise<Answered> {
  const { tx, principal, decisionId, now } = answering;
  const id = signing.ids.next();
  const draft: EntryDraft = { id, tenant: principal.tenant, ts: now, writer: "desk", decisionId, ...rest };
  await writeEntries({ tx, drafts: [draft], keys: signing.payloadKeys });
  return { decisionId, entryIds: [id], approvalIds: [] };
}
