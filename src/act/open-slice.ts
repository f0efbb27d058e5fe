import type { LicensedSlice } from "../approve/licence.ts";
import { assertApproved } from "../approve/verify.ts";
import type { Approved } from "../contract/approval.ts";
import { setSlice } from "../ledger/slices/write.ts";
import type { Tx } from "../store/database.ts";

/** Sets the threshold of a slice as an owner signed it. The row points to the `approved` entry. */
export async function openSlice(tx: Tx, licence: Approved<LicensedSlice>): Promise<void> {
  assertApproved(licence);
  const { grant, subject, approvedEntryId } = licence;
  const { capability, capabilityVersion, slice, thresholdPpm } = subject;
  const name = { tenant: grant.tenant, capability, capabilityVersion, slice };
  await setSlice(tx, { ...name, thresholdPpm, approvalId: grant.id, entryId: approvedEntryId });
}
