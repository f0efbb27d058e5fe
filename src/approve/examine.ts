import type { ApprovalSubject, Grant } from "../contract/approval.ts";
import { everything } from "../contract/principal.ts";
import type { EntryKind } from "../contract/words.ts";
import { isCompensation } from "../define/compensation.ts";
import { editorOf } from "../ledger/asker.ts";
import { endOf, lapseOf } from "../ledger/ends.ts";
import type { DecisionStory } from "../ledger/read.ts";
import type { ApprovalRow } from "../store/tables.ts";
import type { Accounts } from "./accounts.ts";
import { judgeRequester, judgeSigner } from "./as-now.ts";
import { type EffectTask, effectTask } from "./effect-task.ts";
import { judgeAlone } from "./judge-alone.ts";
import type { LicensedEffect, LicensedSlice, Measure, Verifying } from "./licence.ts";
import { readGrant } from "./read-grant.ts";
import { type Refusal, refusal } from "./refusal.ts";
import { verifySlice } from "./verify-slice.ts";

/** One signature on an effect that holds by itself, with the decision's story; whether it is enough is asked elsewhere. */
export interface ExaminedEffect extends Omit<LicensedEffect, "second"> {
  readonly story: DecisionStory;
}

/** How far the clocks of two servers of one store may differ after a failover, in milliseconds. */
const skewMs = 60_000;

/**
 * Examines one approval by itself: bytes, pinned key, signature, tenant, environment, subject against the ledger, approver, later
 * answers, expiry, state. What cannot be checked is refused.
 */
export async function examineApproval(verifying: Verifying): Promise<ExaminedEffect | LicensedSlice | Refusal> {
  const { row, measure } = verifying;
  const read = readGrant({ body: row.body, signature: row.signature, keys: measure.keys });
  if (read.kind === "refused") return read;
  const { grant } = read;
  const place = (await checkPlace(verifying, grant)) ?? checkColumns(row, grant);
  if (place !== null) return place;
  const { subject } = grant;
  const found =
    subject.kind === "slice"
      ? await verifySlice({ ...verifying, grant, subject })
      : await examineEffect(verifying, grant, subject);
  if (found.kind === "refused") return found;
  return checkTime(verifying, grant) ?? found;
}

async function checkPlace({ tx, row, measure }: Verifying, grant: Grant): Promise<Refusal | null> {
  if (grant.tenant !== row.tenant) return mismatch("tenant", "the approval is for another tenant");
  if (grant.environment !== measure.environment) return mismatch("environment", "the approval is for another environment");
  if (grant.id === row.id) return null;
  const original = await tx
    .selectFrom("approval")
    .select("id")
    .where("tenant", "=", row.tenant)
    .where("id", "=", grant.id)
    .executeTakeFirst();
  if (original === undefined) return mismatch("id", "the approval stands under another id");
  return refusal("approval_used", "id", "the approval was put in a second time under another id");
}

/** The columns are for queries; a row whose columns say something else than its signed bytes was tampered with. */
function checkColumns(row: ApprovalRow, grant: Grant): Refusal | null {
  const { subject, approver } = grant;
  const decisionId = subject.kind === "effect" ? subject.decisionId : null;
  const effectIndex = subject.kind === "effect" ? subject.effectIndex : null;
  if (row.granted_by !== approver.kind) return mismatch("granted_by", "the approver is of another kind than the row says");
  const writer = approver.kind === "person" ? "desk" : "acting";
  if (row.writer !== writer)
    return mismatch("writer", `an approval by ${approver.kind} is written by the role \`${writer}\` alone`);
  if (row.approver !== approver.id || row.decision_id !== decisionId || row.effect_index !== effectIndex) {
    return mismatch("columns", "the row says something else than its signed bytes");
  }
  return null;
}

async function examineEffect(
  { tx, measure, stories, accounts }: Verifying,
  grant: Grant,
  subject: Extract<ApprovalSubject, { kind: "effect" }>,
): Promise<ExaminedEffect | Refusal> {
  const { decisionId } = subject;
  const story = await stories.of(decisionId);
  if (story === null) return mismatch("decision", "no such decision is in the ledger");
  const issued = story.following.find((entry) => entry.kind === "approved" && entry.body["approvalId"] === grant.id);
  if (issued === undefined)
    return refusal("approval_invalid", "issued", "the ledger has no entry that this approval was granted");
  const task = await effectTask({ story, effectIndex: subject.effectIndex, project: measure.project });
  if (task.kind === "refused") return task;
  const fault =
    checkSubject(subject, task) ?? (await checkApprover({ measure, accounts, grant, task, story })) ?? checkAnswers(story, grant);
  if (fault !== null) return fault;
  // What policy signed holds as long as policy would sign it: an owner may have closed the slice since.
  const alone = grant.approver.kind === "policy" ? await judgeAlone({ tx, story, measure, accounts }) : null;
  if (alone?.kind === "refused") return alone;
  return { kind: "effect", grant, approvedEntryId: issued.id, task, story };
}

function checkSubject(subject: Extract<ApprovalSubject, { kind: "effect" }>, { proposal, proposed }: EffectTask): Refusal | null {
  if (subject.proposalDigest !== proposal.digest) return mismatch("proposal_digest", "the approval is for another proposal");
  if (subject.paramsDigest !== proposed.paramsDigest) return mismatch("params_digest", "the approval is for other params");
  if (subject.beforeDigest !== proposed.beforeDigest)
    return mismatch("before_digest", "the approval is for another state before");
  const { effect, capability, capabilityVersion } = subject;
  const isSame =
    effect === proposed.effect && capability === proposal.capability && capabilityVersion === proposal.capabilityVersion;
  return isSame ? null : mismatch("effect", "the approval is for another effect or version");
}

async function checkApprover({
  measure,
  accounts,
  grant,
  task,
  story,
}: {
  measure: Measure;
  accounts: Accounts;
  grant: Grant;
  task: EffectTask;
  story: DecisionStory;
}): Promise<Refusal | null> {
  const { approver, tenant } = grant;
  const { effect, params, proposal } = task;
  if (proposal.environment !== measure.environment) return mismatch("environment", "the proposal is for another environment");
  if (!effect.environments.includes(measure.environment)) {
    return refusal(
      "policy_refuses",
      "environment",
      `effect \`${effect.name}\` is not for environment \`${measure.environment}\``,
    );
  }
  // Whether policy may sign alone is the judgement of admission, which follows.
  if (approver.kind === "policy") return null;
  const risk = effect.risk(params);
  const { requestedBy, onBehalfOf } = proposal;
  const isUndoing = isCompensation({ name: proposal.capability });
  const proposing = await judgeRequester(task.requester, {
    ...{ accounts, isUndoing, mayBeGone: isUndoing },
    asks: [(principal) => measure.policy.mayPropose(principal, { name: effect.name, risk })],
  });
  if (proposing !== null) return proposing;
  const principal = { tenant, id: approver.id, roles: [approver.role], attributes: {}, onBehalfOf: null, allow: everything };
  const asked = { tenant: proposal.tenant, requestedBy, onBehalfOf, editedBy: editorOf(story) };
  return judgeSigner(principal, { accounts, ask: (signer) => measure.policy.maySign({ principal: signer, ...asked, risk }) });
}

/** What ended the decision ends its approvals too; an approval that was taken back is no more than that. */
function checkAnswers(story: DecisionStory, grant: Grant): Refusal | null {
  const end = endOf(story);
  if (end !== undefined) return refusal("approval_used", end.kind, `the proposal was ${endWords(story, end.kind)} before`);
  const isWithdrawn = story.following.some(({ kind, body }) => kind === "withdrawn" && body["approvalId"] === grant.id);
  return isWithdrawn ? refusal("approval_used", "withdrawn", "the approval was withdrawn") : null;
}

function endWords(story: DecisionStory, kind: EntryKind): string {
  if (kind === "corrected") return "superseded";
  return kind === "expired" ? (lapseOf(story) ?? kind) : kind;
}

function checkTime({ row, now, expects }: Verifying, grant: Grant): Refusal | null {
  // Of two thresholds the one that was signed later stands, so nothing may claim to come from the future.
  if (grant.grantedAt > now + skewMs) return refusal("approval_invalid", "granted_at", "the approval was signed in the future");
  if (now >= grant.expiresAt) return refusal("approval_expired", "expires_at", "the approval had expired by the store's clock");
  if (row.state !== expects) return refusal("approval_used", "state", `the approval is ${row.state}, not ${expects}`);
  return null;
}

function mismatch(rule: string, reason: string): Refusal {
  return refusal("approval_mismatch", rule, reason);
}
