import type { ApprovalSubject } from "../../contract/approval.ts";
import { CountersignError } from "../../contract/errors.ts";
import type { Answered, Answering, Signing } from "./answering.ts";
import { newGrant, recordGrants } from "./record.ts";

/** Signs the threshold of a slice for an owner; the acting half verifies and sets it. Throws `forbidden` or `unknown_capability`. */
export async function grantSlice(
  {
    tx,
    principal,
    capability,
    slice,
    thresholdPpm,
    now,
  }: Omit<Answering, "decisionId"> & { readonly capability: string; readonly slice: string; readonly thresholdPpm: number },
  signing: Signing,
): Promise<Omit<Answered, "decisionId">> {
  const ruling = signing.policy.mayOpenSlice(principal);
  if (ruling.kind === "refused") throw new CountersignError("forbidden", ruling.reason, { facts: { rule: ruling.rule } });
  const version = signing.project.capabilities.find((one) => one.name === capability)?.version;
  if (version === undefined) throw new CountersignError("unknown_capability", `no capability is named \`${capability}\``);
  const subject: ApprovalSubject = { kind: "slice", capability, capabilityVersion: version, slice, thresholdPpm };
  const grant = newGrant({ tenant: principal.tenant, approver: principal.id, role: "owner", now, signing, subject });
  const signedBy = { policy: signing.policy.version, policies: ruling.policies };
  return recordGrants({ tx, grants: [{ grant, needs: 1, signedBy }], decisionId: null, cause: null, now, signing });
}
