import type { ApprovalSubject } from "../../contract/approval.ts";
import type { SliceEvidence } from "../../contract/autonomy.ts";
import { calibrationLabel } from "../../contract/calibration.ts";
import { CountersignError } from "../../contract/errors.ts";
import { basisOf } from "../../define/authority-basis.ts";
import { sha256Digest } from "../../store/digest.ts";
import type { Answered, Answering, Signing } from "./answering.ts";
import { newGrant, recordGrants } from "./record.ts";

/** The threshold that is to be signed, and what it rests on; `null` where a person signs without any evidence. */
export interface SliceOpening extends Omit<Answering, "decisionId"> {
  readonly capability: string;
  readonly slice: string;
  readonly thresholdPpm: number;
  readonly evidence: SliceEvidence | null;
}

/**
 * Signs the threshold of a slice for an owner, for the definition that this desk has; the acting half verifies and sets it. Throws `forbidden`
 * or `unknown_capability`.
 */
export async function grantSlice(
  { tx, principal, capability: name, slice, thresholdPpm, evidence, now }: SliceOpening,
  signing: Signing,
): Promise<Omit<Answered, "decisionId">> {
  const ruling = signing.policy.mayOpenSlice(principal);
  if (ruling.kind === "refused") throw new CountersignError("forbidden", ruling.reason, { facts: { rule: ruling.rule } });
  const capability = signing.project.capabilities.find((one) => one.name === name);
  if (capability === undefined) throw new CountersignError("unknown_capability", `no capability is named \`${name}\``);
  const basis = basisOf(capability, sha256Digest);
  const calibration = calibrationLabel(capability.calibration);
  const of = { capability: name, capabilityVersion: capability.version, slice };
  const subject: ApprovalSubject = { kind: "slice", ...of, thresholdPpm, basis, calibration, evidence };
  const grant = newGrant({ tenant: principal.tenant, approver: principal.id, role: "owner", now, signing, subject });
  const signedBy = { policy: signing.policy.version, policies: ruling.policies };
  return recordGrants({ tx, grants: [{ grant, needs: 1, signedBy }], decisionId: null, cause: null, now, signing });
}
