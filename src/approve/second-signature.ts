import { type Grant, signaturesFor } from "../contract/approval.ts";
import type { DecisionStory } from "../ledger/story.ts";
import type { ApprovalRow } from "../store/tables.ts";
import { type ExaminedEffect, examineApproval } from "./examine.ts";
import type { LicensedEffect, SecondSignature, Verifying } from "./licence.ts";
import { type Refusal, refusal } from "./refusal.ts";

/**
 * Adds to a signature that holds by itself what else the proposal needs before any effect of it may start: for high risk a second
 * person's, over the same proposal, effect and state before, examined as strictly as the first; for its other effects as many
 * signatures as they take. `awaits` while one is missing.
 */
export async function completeSignatures(
  verifying: Verifying,
  { story, ...examined }: ExaminedEffect,
): Promise<LicensedEffect | Refusal | { readonly kind: "awaits" }> {
  const { effect, params } = examined.task;
  // By this process's own definition of the effect, not by what the proposal or the approval's row says.
  // What is sent again was begun: the order was kept then.
  const isRestDone = verifying.expects === "consumed" || isRestSigned(story, examined.grant);
  if (signaturesFor(effect.risk(params)) === 1) return isRestDone ? { ...examined, second: null } : { kind: "awaits" };
  if (examined.grant.approver.kind !== "person")
    return refusal("approver_not_permitted", "two_people", "high risk is signed by two people, never by policy");
  const second = await findSecond(verifying, { story, ...examined });
  if (second === null || !isRestDone) return { kind: "awaits" };
  return { ...examined, second };
}

async function findSecond(verifying: Verifying, { story, grant }: ExaminedEffect): Promise<SecondSignature | null> {
  const others = story.approvals.filter(
    (row) =>
      row.id !== grant.id &&
      row.effect_index === indexOf(grant) &&
      row.state === verifying.expects &&
      row.granted_by === "person",
  );
  for (const row of others) {
    const other = await examineApproval({ ...verifying, row });
    if (other.kind === "effect" && isOfAnother(other.grant, grant))
      return { grant: other.grant, approvalId: row.id, approvedEntryId: other.approvedEntryId };
  }
  return null;
}

/** Another person, who signed the same: both were shown the same effect of the same proposal over the same state before. */
function isOfAnother(second: Grant, first: Grant): boolean {
  if (second.subject.kind !== "effect" || first.subject.kind !== "effect") return false;
  const { subject: a } = second;
  const { subject: b } = first;
  const isSame =
    a.proposalDigest === b.proposalDigest &&
    a.effectIndex === b.effectIndex &&
    a.paramsDigest === b.paramsDigest &&
    a.beforeDigest === b.beforeDigest;
  return isSame && second.approver.kind === "person" && second.approver.id !== first.approver.id;
}

/** Whether every other effect was begun, or has as many signatures as it takes. Only a matter of order: each is verified in its turn. */
function isRestSigned({ proposal, approvals, operations, following }: DecisionStory, grant: Grant): boolean {
  const withdrawn = new Set(following.filter(({ kind }) => kind === "withdrawn").map(({ body }) => body["approvalId"]));
  const stands = ({ id, state }: ApprovalRow) => (state === "granted" || state === "consumed") && !withdrawn.has(id);
  return (proposal?.effects ?? []).every(({ index, risk }) => {
    if (index === indexOf(grant) || operations.some(({ effect_index }) => effect_index === index)) return true;
    const ours = approvals.filter(({ effect_index }) => effect_index === index);
    // One that was refused waits for nobody; what comes after it is not started.
    if (ours.some(({ state }) => state === "refused")) return true;
    return new Set(ours.filter(stands).map(({ approver }) => approver)).size >= signaturesFor(risk);
  });
}

function indexOf({ subject }: Grant): number | null {
  return subject.kind === "effect" ? subject.effectIndex : null;
}
