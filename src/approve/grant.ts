/**
 * Where people sign, at the desk: one approval per effect of a proposal, or one rejection of the whole. The first answer stands, until
 * whoever gave it withdraws it. Never verifies for the acting half and never signs for policy; the acting half checks again whatever
 * is written here.
 */
import { signaturesFor } from "../contract/approval.ts";
import type { EntryDraft } from "../contract/entry.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Principal } from "../contract/principal.ts";
import { standingsAlone } from "../ledger/effect-standing.ts";
import { writeEntries } from "../ledger/entries.ts";
import { waitAgain } from "../ledger/lists.ts";
import { askers, reviewers, writeNotices } from "../ledger/notices.ts";
import type { DecisionStory } from "../ledger/read.ts";
import type { Answered, Answering, Signing } from "./grant/answering.ts";
import { isBegun } from "./grant/begun.ts";
import { newGrant, recordGrants, subjectOf } from "./grant/record.ts";
import { endTaken } from "./grant/taken.ts";
import { checkToldTruly } from "./grant/told-truly.ts";
import { askerOf, checkSigner, lockWaiting, readSeen, type Waiting } from "./grant/waiting.ts";

export type { Answered, Answering, Signing } from "./grant/answering.ts";
export { type Attempt, answerOnRecord } from "./grant/attempt.ts";
export { setHalt } from "./grant/halt.ts";
export { type Hearing, openHearing } from "./grant/hearing.ts";
export { type Finding, resolveOperation } from "./grant/resolve.ts";
export { openShown } from "./grant/shown.ts";
export { grantSlice } from "./grant/slice.ts";
export { supersede } from "./grant/supersede.ts";
export { release, takeUp } from "./grant/take.ts";
export { openTelling, type Telling } from "./grant/telling.ts";
export { checkText } from "./grant/text.ts";
export { timed } from "./grant/timed.ts";
export { withdrawApprovals } from "./grant/withdraw.ts";

/**
 * Signs for a person every effect of a waiting proposal that lacks their signature: all of them at first, the ones of high risk again
 * as the second of two, those whose approvals expired or were withdrawn. Throws `not_found`, `approver_not_permitted` with the rule,
 * `taken`, `not_waiting`, `approval_used` where it was answered before, `approval_mismatch` where the proposal says of its effects what
 * is not so, and `nothing_to_sign` where nothing was proposed. Permission comes before state.
 */
export async function grantApprovals(answering: Answering, signing: Signing): Promise<Answered> {
  const { tx, principal, decisionId, now } = answering;
  checkSigners({ principal, signing, story: await readSeen(answering, signing) });
  const waiting = await lockWaiting(answering, signing, "throw");
  const { outcome, proposal } = waiting.story;
  if (outcome.kind === "stopped") throw nothingToSign(decisionId);
  if (proposal === null)
    throw new CountersignError("not_waiting", "the decision has no proposal to approve; reject it or ask anew");
  const { signable, isLeftOpen } = signableBy(waiting, principal.id);
  const effects = proposal.effects.filter(({ index }) => signable.includes(index));
  await checkToldTruly({ project: signing.project, outcome, proposal, effects });
  if (proposal.effects.length === 0) return releaseAnswer(answering, signing, waiting.story);
  const { tenant, id: approver } = principal;
  const grants = effects.map((effect) => ({
    grant: newGrant({ tenant, approver, role: "approver", now, signing, subject: subjectOf(proposal, effect) }),
    needs: signaturesFor(effect.risk),
    signedBy: checkSigner({ principal: answering.principal, signing, story: waiting.story, risk: effect.risk }),
  }));
  const answered = await recordGrants({ tx, grants, decisionId, cause: outcome.id, now, signing });
  if (isLeftOpen) await waitForAnother(answering, answered.entryIds[0] ?? outcome.id);
  await endTaken(answering);
  return { decisionId, ...answered };
}

/**
 * Of the open effects those that this person has not signed yet, and whether any is left open after their signature. Refuses with
 * `approver_not_permitted` where all that is missing is somebody else's.
 */
function signableBy({ story, open }: Waiting, approver: string): { signable: readonly number[]; isLeftOpen: boolean } {
  const standings = standingsAlone(story).filter(({ index }) => open.includes(index));
  const signable = standings.filter(({ signedBy }) => !signedBy.includes(approver));
  if (standings.length > 0 && signable.length === 0)
    throw new CountersignError("approver_not_permitted", "you have signed it; the second signature is another person's", {
      facts: { rule: "two_people" },
    });
  const isLeftOpen = standings.some((one) => {
    const isSigning = signable.includes(one);
    return one.signedBy.length + (isSigning ? 1 : 0) < one.signaturesNeeded;
  });
  return { signable: signable.map(({ index }) => index), isLeftOpen };
}

async function waitForAnother({ tx, principal: { tenant }, decisionId }: Answering, entryId: string): Promise<void> {
  await waitAgain(tx, { tenant, decisionId });
  await writeNotices({ tx, notices: [{ tenant, kind: "waiting_review", decisionId, entryId, to: reviewers }] });
}

/** An answer that waited for review: there is nothing to apply, so the entry alone says that a person released it. */
function releaseAnswer(answering: Answering, signing: Signing, story: DecisionStory): Promise<Answered> {
  const { principal } = answering;
  const signedBy = checkSigner({ principal, signing, story, risk: null });
  const who = { approver: principal.id, approverKind: "person", role: "approver" };
  const facts = { approvalId: null, ...who, effectIndex: null, subject: null, ...signedBy };
  return record({ answering, signing, story, kind: "approved", facts, bodies: {} });
}

/** A stop that was left to a person: there is no proposal that a signature could stand for. */
function nothingToSign(decisionId: string): CountersignError {
  const message = "nothing was proposed, so there is nothing to sign; decide it elsewhere, then reject it with what became of it";
  return new CountersignError("nothing_to_sign", message, { facts: { decisionId } });
}

/**
 * Rejects a waiting proposal as a whole, with a reason, also one that cannot be read or that one of two has signed: the other's
 * signature counts no more. Throws as `grantApprovals` does.
 */
export async function rejectProposal(answering: Answering & { readonly reason: string }, signing: Signing): Promise<Answered> {
  const { principal, reason } = answering;
  const seen = await readSeen(answering, signing);
  const signedBy = checkSigner({ principal, signing, story: seen, risk: null });
  const { story } = await lockWaiting(answering, signing, "mark");
  const standings = standingsAlone(story);
  if (standings.some(isBegun))
    throw new CountersignError("approval_used", "an effect of the proposal was carried out; what is left can be signed");
  if (standings.some(({ signedBy }) => signedBy.includes(principal.id)))
    throw new CountersignError(
      "approval_used",
      "you have signed it, and the first answer stands; withdraw your signature first",
      {
        facts: { answer: "approved" },
      },
    );
  return record({ answering, signing, story, kind: "rejected", facts: { by: principal.id, ...signedBy }, bodies: { reason } });
}

function checkSigners({ principal, signing, story }: { principal: Principal; signing: Signing; story: DecisionStory }): void {
  const risks = (story.proposal?.effects ?? []).map((effect) => effect.risk);
  for (const risk of risks.length === 0 ? [null] : risks) checkSigner({ principal, signing, story, risk });
}

/** Writes the answer that ends a decision, and what whoever asked is to be told of it. */
async function record({
  answering,
  signing,
  story,
  ...rest
}: { answering: Answering; signing: Signing; story: DecisionStory } & Pick<
  EntryDraft,
  "kind" | "facts" | "bodies"
>): Promise<Answered> {
  const { tx, principal, decisionId, now } = answering;
  const { tenant } = principal;
  const id = signing.ids.next();
  const frame = { id, tenant, ts: now, writer: "desk", decisionId, cause: story.outcome.id } as const;
  await writeEntries({ tx, drafts: [{ ...frame, ...rest }], keys: signing.payloadKeys });
  const notices = askers(askerOf(story)).map((to) => ({ tenant, kind: "outcome", decisionId, entryId: id, to }) as const);
  await writeNotices({ tx, notices });
  await endTaken(answering);
  return { decisionId, entryIds: [id], approvalIds: [] };
}
