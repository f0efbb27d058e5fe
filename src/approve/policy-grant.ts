import { randomBytes } from "node:crypto";
import type { Grant } from "../contract/approval.ts";
import { canonicalJson, type JsonObject } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";
import type { Ids } from "../contract/ports.ts";
import type { Tx } from "../store/database.ts";
import { type SigningKey, signText } from "../store/signature.ts";
import type { EffectTask } from "./effect-task.ts";
import type { Measure } from "./licence.ts";

/** What admitting needs; the key is the policy's own and is known to the acting process alone. */
export interface Admitting {
  readonly measure: Measure;
  readonly policyKey: SigningKey;
  readonly ids: Ids;
}

/** Signs one effect for policy and puts the approval in; returns the id and the facts of the `approved` entry to be written with it. */
export async function grantByPolicy({
  tx,
  task,
  now,
  admitting,
}: {
  tx: Tx;
  task: EffectTask;
  now: number;
  admitting: Admitting;
}): Promise<{ entryId: string; facts: JsonObject }> {
  const grant = policyGrant({ task, now, admitting });
  const entryId = admitting.ids.next();
  await insertApproval({ tx, grant, entryId, task, key: admitting.policyKey });
  return { entryId, facts: { ...approvedFacts(grant, task), ...signedBy(task, admitting) } };
}

function policyGrant({ task, now, admitting }: { task: EffectTask; now: number; admitting: Admitting }): Grant {
  const { proposal, proposed, effectIndex } = task;
  return {
    version: 1,
    id: admitting.ids.next(),
    tenant: task.tenant,
    environment: admitting.measure.environment,
    subject: {
      kind: "effect",
      decisionId: task.decisionId,
      effectIndex,
      effect: proposed.effect,
      capability: proposal.capability,
      capabilityVersion: proposal.capabilityVersion,
      proposalDigest: proposal.digest,
      paramsDigest: proposed.paramsDigest,
      beforeDigest: proposed.beforeDigest,
    },
    approver: { kind: "policy", id: admitting.measure.policy.version, role: "policy", assertion: null },
    grantedAt: now,
    expiresAt: now + limits.approvalMs,
    nonce: randomBytes(18).toString("base64url"),
    keyId: admitting.policyKey.keyId,
  };
}

async function insertApproval({
  tx,
  grant,
  entryId,
  task,
  key,
}: {
  tx: Tx;
  grant: Grant;
  entryId: string;
  task: EffectTask;
  key: SigningKey;
}): Promise<void> {
  const body = canonicalJson(grant);
  await tx
    .insertInto("approval")
    .values({
      tenant: task.tenant,
      id: grant.id,
      decision_id: task.decisionId,
      effect_index: task.effectIndex,
      granted_by: "policy",
      approver: grant.approver.id,
      body,
      signature: signText(key, body),
      entry_id: entryId,
    })
    .execute();
}

/** The policies that let it go through alone; which version they are is the approver's id. */
function signedBy({ effect, params, requester }: EffectTask, { measure }: Admitting): JsonObject {
  const { policies } = measure.policy.mayPassAlone(requester, { name: effect.name, risk: effect.risk(params) });
  return { policy: measure.policy.version, policies };
}

function approvedFacts({ id, approver, subject, expiresAt, keyId }: Grant, { effectIndex }: EffectTask): JsonObject {
  const who = { approver: approver.id, approverKind: approver.kind, role: approver.role };
  return { approvalId: id, ...who, effectIndex, subject: { ...subject }, expiresAt, keyId };
}
