import { randomBytes } from "node:crypto";
import type { ApprovalSubject, Grant } from "../../contract/approval.ts";
import type { EntryDraft } from "../../contract/entry.ts";
import { canonicalJson, type JsonObject } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import type { Proposal, ProposedEffect } from "../../contract/proposal.ts";
import { writeEntries } from "../../ledger/entries.ts";
import type { Tx } from "../../store/database.ts";
import { signText } from "../../store/signature.ts";
import type { Answered, Signing } from "./answering.ts";
import type { SignedBy } from "./waiting.ts";

/** What of an effect's proposal a signature covers. */
export function subjectOf(proposal: Proposal, effect: ProposedEffect): ApprovalSubject {
  return {
    kind: "effect",
    decisionId: proposal.decisionId,
    effectIndex: effect.index,
    effect: effect.effect,
    capability: proposal.capability,
    capabilityVersion: proposal.capabilityVersion,
    proposalDigest: proposal.digest,
    paramsDigest: effect.paramsDigest,
    beforeDigest: effect.beforeDigest,
  };
}

/** A grant by a person, good for four hours from now. */
export function newGrant({
  tenant,
  approver,
  role,
  subject,
  now,
  signing,
}: {
  tenant: string;
  approver: string;
  role: string;
  subject: ApprovalSubject;
  now: number;
  signing: Signing;
}): Grant {
  return {
    version: 1,
    id: signing.ids.next(),
    tenant,
    environment: signing.environment,
    subject,
    approver: { kind: "person", id: approver, role, assertion: null },
    grantedAt: now,
    expiresAt: now + limits.approvalMs,
    nonce: randomBytes(18).toString("base64url"),
    keyId: signing.key.keyId,
  };
}

/** A grant to be kept: how many signatures its effect takes, and what let this person sign. */
export interface NewGrant {
  readonly grant: Grant;
  readonly needs: 1 | 2;
  readonly signedBy: SignedBy;
}

/** Signs the grants and puts each in with its `approved` entry, all in the caller's transaction. */
export async function recordGrants({
  tx,
  grants,
  decisionId,
  cause,
  now,
  signing,
}: {
  tx: Tx;
  grants: readonly NewGrant[];
  decisionId: string | null;
  cause: string | null;
  now: number;
  signing: Signing;
}): Promise<Omit<Answered, "decisionId">> {
  const drafts: EntryDraft[] = [];
  for (const { grant, needs, signedBy } of grants) {
    const entryId = signing.ids.next();
    const body = canonicalJson(grant);
    await tx
      .insertInto("approval")
      .values({
        tenant: grant.tenant,
        id: grant.id,
        decision_id: decisionId,
        effect_index: indexOf(grant),
        granted_by: "person",
        approver: grant.approver.id,
        body,
        signature: signText(signing.key, body),
        entry_id: entryId,
        needs,
      })
      .execute();
    const frame = { id: entryId, tenant: grant.tenant, ts: now, writer: "desk", decisionId, cause } as const;
    drafts.push({ ...frame, kind: "approved", facts: { ...factsOf(grant, needs), ...signedBy }, bodies: {} });
  }
  await writeEntries({ tx, drafts, keys: signing.payloadKeys });
  return { entryIds: drafts.map((draft) => draft.id), approvalIds: grants.map(({ grant }) => grant.id) };
}

function factsOf(grant: Grant, needs: 1 | 2): JsonObject {
  const { id, approver, subject, expiresAt, keyId } = grant;
  return {
    approvalId: id,
    approver: approver.id,
    approverKind: approver.kind,
    role: approver.role,
    effectIndex: indexOf(grant),
    ...(needs === 1 ? {} : { needs }),
    subject: { ...subject },
    expiresAt,
    keyId,
  };
}

function indexOf({ subject }: Grant): number | null {
  return subject.kind === "effect" ? subject.effectIndex : null;
}
