import type { ApprovalSubject, Grant } from "../contract/approval.ts";
import type { Capability } from "../contract/capability.ts";
import { everything } from "../contract/principal.ts";
import { neverAutoPpm } from "../contract/words.ts";
import { groundChange } from "../define/authority-basis.ts";
import { sha256Digest } from "../store/digest.ts";
import { judgeSigner } from "./as-now.ts";
import { judgeRelease } from "./judge-release.ts";
import type { LicensedSlice, Verifying } from "./licence.ts";
import { type Refusal, refusal } from "./refusal.ts";

/**
 * Verifies a grant that sets a slice's threshold: by an owner in person, for the current version of a capability of this project whose
 * effects were released. One that closes a slice asks nothing of the version: it lets less through, and any worker carries it out.
 */
export async function verifySlice({
  tx,
  row,
  measure,
  accounts,
  grant,
  subject,
}: Verifying & { grant: Grant; subject: Extract<ApprovalSubject, { kind: "slice" }> }): Promise<LicensedSlice | Refusal> {
  const { kind, id, role } = grant.approver;
  if (kind !== "person") return refusal("approver_not_permitted", "owner_opens_slice", "policy never opens a slice");
  const signer = { tenant: grant.tenant, id, roles: [role], attributes: {}, onBehalfOf: null, allow: everything };
  const fault = await judgeSigner(signer, { accounts, ask: measure.policy.mayOpenSlice });
  if (fault !== null) return fault;
  const unopenable = subject.thresholdPpm < neverAutoPpm ? await judgeOpening({ tx, subject, measure }) : null;
  if (unopenable !== null) return unopenable;
  const issued = await tx
    .selectFrom("entry")
    .select(["id", "body"])
    .where("tenant", "=", row.tenant)
    .where("id", "=", row.entry_id)
    .where("kind", "=", "approved")
    .where("writer", "=", "desk")
    .executeTakeFirst();
  if (issued !== undefined && approvalIdOf(issued.body) === grant.id)
    return { kind: "slice", grant, approvedEntryId: issued.id, subject };
  return refusal("approval_invalid", "issued", "the ledger has no entry that this approval was granted");
}

/** Whether this process has the capability in that version, the slice was earned, and every effect was released. */
async function judgeOpening({
  tx,
  subject,
  measure,
}: Pick<Verifying, "tx" | "measure"> & { subject: Extract<ApprovalSubject, { kind: "slice" }> }): Promise<Refusal | null> {
  const capability = measure.project.capabilities.find((one) => one.name === subject.capability);
  if (capability === undefined || capability.version !== subject.capabilityVersion)
    return refusal("approval_mismatch", "capability_version", "the slice is of a capability or version that is not current");
  const unearned = judgeEarned({ subject, capability, environment: measure.environment });
  return unearned ?? judgeRelease({ tx, effects: capability.effects, measure });
}

/** The environment of the demo, in which a person may open a slice without any evidence. */
const unproved = "demo";

/** Whether it was signed for the definition that this process has, on evidence that reaches the bar of that definition. */
function judgeEarned({
  subject,
  capability,
  environment,
}: {
  subject: Extract<ApprovalSubject, { kind: "slice" }>;
  capability: Capability;
  environment: string;
}): Refusal | null {
  const changed = groundChange(subject, capability, sha256Digest);
  if (changed === "definition_changed")
    return refusal("approval_mismatch", "slice_basis", "the slice is of a definition that this process does not have");
  if (subject.evidence === null)
    return environment === unproved
      ? null
      : refusal(
          "policy_refuses",
          "slice_evidence",
          "outside the demo a slice is opened on evidence; see `countersign autonomy propose`",
        );
  if (changed === null && subject.thresholdPpm > 0) return null;
  return refusal(
    "policy_refuses",
    "slice_below_bar",
    "the evidence does not reach the bar of the capability, or fewer are shown to people than was signed",
  );
}

function approvalIdOf(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null && "approvalId" in parsed ? parsed.approvalId : undefined;
  } catch {
    return undefined;
  }
}
