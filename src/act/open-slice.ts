import type { LicensedSlice } from "../approve/licence.ts";
import { assertApproved } from "../approve/verify.ts";
import type { Approved } from "../contract/approval.ts";
import { setSlice } from "../ledger/slices/write.ts";
import type { Tx } from "../store/database.ts";

/**
 * Sets the threshold of a slice as an owner signed it; the row points to the `approved` entry. `false` where one that was signed
 * later stands: approvals are taken in any order, by several workers.
 */
export async function openSlice(tx: Tx, licence: Approved<LicensedSlice>): Promise<boolean> {
  assertApproved(licence);
  const { grant, subject, approvedEntryId } = licence;
  const { capability, capabilityVersion, slice, thresholdPpm } = subject;
  const name = { tenant: grant.tenant, capability, capabilityVersion, slice };
  const { id: approvalId, grantedAt } = grant;
  return setSlice(tx, { ...name, thresholdPpm, grantedAt, approvalId, entryId: approvedEntryId });
}
