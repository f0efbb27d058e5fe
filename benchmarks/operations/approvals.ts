/** Decisions and their approvals in bulk: the rows and entries that decider and desk would have left, many to a statement. */

import type { Signing } from "../../src/approve/grant/answering.ts";
import { newGrant, subjectOf } from "../../src/approve/grant/record.ts";
import { type Grant, signaturesFor } from "../../src/contract/approval.ts";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import type { EntryDraft } from "../../src/contract/entry.ts";
import { CountersignError } from "../../src/contract/errors.ts";
import { canonicalJson } from "../../src/contract/json.ts";
import type { Principal } from "../../src/contract/principal.ts";
import { decisionDraft } from "../../src/ledger/decision-entry.ts";
import { writeEntries } from "../../src/ledger/entries.ts";
import type { PayloadKeys } from "../../src/ledger/payload.ts";
import type { Tx } from "../../src/store/database.ts";
import { signText } from "../../src/store/signature.ts";

/** How many rows one statement carries. */
export const rowsInStatement = 250;

/** Writes the `decided` entries of decisions; as the deciding role, which leaves them as its journal does. */
export async function writeDecisions(
  tx: Tx,
  { records, keys }: { records: readonly DecisionRecord[]; keys: PayloadKeys },
): Promise<void> {
  await writeEntries({ tx, drafts: records.map((record) => decisionDraft(record, "0".repeat(64))), keys });
}

/** Signs every effect of decisions for one approver and writes approvals with their `approved` entries; as the desk's role. */
export async function writeApprovals(
  tx: Tx,
  { records, approver, now, signing }: { records: readonly DecisionRecord[]; approver: Principal; now: number; signing: Signing },
): Promise<void> {
  const signed = records.map((record) => signedOf({ record, approver, now, signing }));
  await tx
    .insertInto("approval")
    .values(signed.map(({ row }) => row))
    .execute();
  await writeEntries({ tx, drafts: signed.map(({ draft }) => draft), keys: signing.payloadKeys });
}

function signedOf({
  record,
  approver,
  now,
  signing,
}: {
  record: DecisionRecord;
  approver: Principal;
  now: number;
  signing: Signing;
}) {
  const { proposal, request } = record;
  const effect = proposal?.effects[0];
  if (proposal === null || effect === undefined)
    throw new CountersignError("internal", "a decision of the benchmark has an effect");
  const { decisionId, entryId: cause } = request;
  const { tenant } = request.principal;
  const grant = newGrant({ tenant, approver: approver.id, role: "approver", now, signing, subject: subjectOf(proposal, effect) });
  const body = canonicalJson(grant);
  const needs = signaturesFor(effect.risk);
  const entryId = signing.ids.next();
  const row = {
    ...{ tenant, id: grant.id, decision_id: decisionId, effect_index: effect.index, granted_by: "person" as const },
    approver: approver.id,
    ...{ body, signature: signText(signing.key, body), entry_id: entryId, needs },
  };
  const frame = { id: entryId, tenant, ts: now, writer: "desk", decisionId, cause } as const;
  const { requestedBy, onBehalfOf } = proposal;
  const asked = { tenant, requestedBy, onBehalfOf, risk: effect.risk, editedBy: null };
  const { policies } = signing.policy.maySign({ principal: approver, ...asked });
  const facts = { ...factsOf(grant, effect.index), policy: signing.policy.version, policies };
  const draft: EntryDraft = { ...frame, kind: "approved", facts, bodies: {} };
  return { row, draft };
}

/** What the desk says in its `approved` entry; a stretch compares the two. */
function factsOf({ id, approver, subject, expiresAt, keyId }: Grant, effectIndex: number): EntryDraft["facts"] {
  return {
    ...{ approvalId: id, approver: approver.id, approverKind: approver.kind, role: approver.role, effectIndex },
    ...{ subject: { ...subject }, expiresAt, keyId },
  };
}
