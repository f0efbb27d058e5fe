/**
 * Where people sign, at the desk: one approval per effect of a proposal, or one rejection of the whole. The first answer stands.
 * Never verifies for the acting half and never signs for policy; the acting half checks again whatever is written here.
 */
import type { EntryDraft } from "../contract/entry.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Principal } from "../contract/principal.ts";
import type { Proposal } from "../contract/proposal.ts";
import { writeEntries } from "../ledger/entries.ts";
import type { DecisionStory } from "../ledger/read.ts";
import type { Answered, Answering, Signing } from "./grant/answering.ts";
import { newGrant, recordGrants, subjectOf } from "./grant/record.ts";
import { checkToldTruly } from "./grant/told-truly.ts";
import { checkSigner, lockWaiting, readSeen } from "./grant/waiting.ts";

export type { Answered, Signing } from "./grant/answering.ts";
export { answerOnRecord } from "./grant/attempt.ts";
export { grantSlice } from "./grant/slice.ts";

/**
 * Signs every effect of a waiting proposal for a person; of one whose approvals expired unused, those effects again. Throws
 * `not_found`, `approver_not_permitted` with the rule, `not_waiting`, `approval_used` where it was answered before, and
 * `approval_mismatch` where the proposal says of its effects what is not so, and `nothing_to_sign` where nothing was proposed.
 * Permission comes before state.
 */
export async function grantApprovals(answering: Answering, signing: Signing): Promise<Answered> {
  const { tx, principal, decisionId, now } = answering;
  checkSigners({ principal, signing, story: await readSeen(answering, signing) });
  const { story, open } = await lockWaiting(answering, signing, "throw");
  const { outcome, proposal } = story;
  if (outcome.kind === "stopped") throw nothingToSign(decisionId);
  if (proposal === null)
    throw new CountersignError("not_waiting", "the decision has no proposal to approve; reject it or ask anew");
  const effects = proposal.effects.filter(({ index }) => open === "all" || open.includes(index));
  await checkToldTruly({ project: signing.project, outcome, proposal, effects });
  const { tenant, id: approver } = principal;
  const grants = effects.map((effect) =>
    newGrant({ tenant, approver, role: "approver", now, signing, subject: subjectOf(proposal, effect) }),
  );
  if (grants.length > 0)
    return { decisionId, ...(await recordGrants({ tx, grants, decisionId, cause: outcome.id, now, signing })) };
  // An answer that waited for review: there is nothing to apply, so the entry alone says that a person released it.
  const facts = { approvalId: null, approver, approverKind: "person", role: "approver", effectIndex: null, subject: null };
  return record({ answering, signing, cause: outcome.id, kind: "approved", facts, bodies: {} });
}

/** A stop that was left to a person: there is no proposal that a signature could stand for. */
function nothingToSign(decisionId: string): CountersignError {
  const message = "nothing was proposed, so there is nothing to sign; decide it elsewhere, then reject it with what became of it";
  return new CountersignError("nothing_to_sign", message, { facts: { decisionId } });
}

/** Rejects a waiting proposal as a whole, with a reason, also one that cannot be read. Throws as `grantApprovals` does. */
export async function rejectProposal(answering: Answering & { readonly reason: string }, signing: Signing): Promise<Answered> {
  const { principal, reason } = answering;
  const seen = await readSeen(answering, signing);
  checkSigner({ principal, signing, proposal: askerOf(seen), risk: null });
  const { story, open } = await lockWaiting(answering, signing, "mark");
  const isBegun = open !== "all" && open.length < (story.proposal?.effects.length ?? 0);
  if (isBegun)
    throw new CountersignError("approval_used", "an effect of the proposal was carried out; what is left can be signed");
  return record({
    answering,
    signing,
    cause: story.outcome.id,
    kind: "rejected",
    facts: { by: principal.id },
    bodies: { reason },
  });
}

function checkSigners({ principal, signing, story }: { principal: Principal; signing: Signing; story: DecisionStory }): void {
  const risks = (story.proposal?.effects ?? []).map((effect) => effect.risk);
  for (const risk of risks.length === 0 ? [null] : risks) checkSigner({ principal, signing, proposal: askerOf(story), risk });
}

/** Who asked: by the proposal, or by the entry of a decision that has none. Throws `payload_unreadable` where neither says it. */
function askerOf({ proposal, tenant, requestedBy, onBehalfOf }: DecisionStory): Asker {
  if (proposal !== null) return proposal;
  if (requestedBy !== "") return { tenant, requestedBy, onBehalfOf };
  throw new CountersignError("payload_unreadable", "who asked cannot be read, so nobody can be found who may answer");
}

type Asker = Pick<Proposal, "tenant" | "requestedBy" | "onBehalfOf">;

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
