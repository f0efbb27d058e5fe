import type { LicensedSlice } from "../approve/licence.ts";
import { assertApproved } from "../approve/verify.ts";
import type { Approved } from "../contract/approval.ts";
import { neverAutoPpm } from "../contract/words.ts";
import { closeOtherVersions, setSlice } from "../ledger/slices/write.ts";
import type { Tx } from "../store/database.ts";
import type { Acting } from "./acting.ts";
import { connectorsOf } from "./autonomy/connectors-of.ts";

/**
 * Sets the threshold of a slice as an owner signed it, with what it rests on; the row points to the `approved` entry. `false` where one that
 * was signed later stands, or a breach was seen since: approvals are taken in any order, by several workers. A close holds for every version.
 */
export async function openSlice(
  tx: Tx,
  licence: Approved<LicensedSlice>,
  { hands, measure: { project } }: Pick<Acting, "hands" | "measure">,
): Promise<boolean> {
  assertApproved(licence);
  const { grant, subject, approvedEntryId } = licence;
  const { kind: _, ...signed } = subject;
  const effects = project.capabilities.find(({ name }) => name === subject.capability)?.effects ?? [];
  const { id: approvalId, grantedAt, tenant } = grant;
  const connectors = connectorsOf({ effects }, hands);
  const change = { ...signed, tenant, grantedAt, approvalId, entryId: approvedEntryId, connectors };
  if (subject.thresholdPpm >= neverAutoPpm) await closeOtherVersions(tx, change);
  return setSlice(tx, change);
}
