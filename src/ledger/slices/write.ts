import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { SliceName } from "../../contract/ports.ts";
import { neverAutoPpm } from "../../contract/words.ts";
import type { Tx } from "../../store/database.ts";

/** A new threshold with the approval that permits it and the entry that records it. */
export interface SliceChange extends SliceName {
  readonly thresholdPpm: number;
  readonly approvalId: string;
  readonly entryId: string;
}

/**
 * Sets the threshold of a slice; the acting half calls it in the transaction that consumes the approval.
 * Only the acting role has the grant, and no path leads here from the deciding half.
 */
export async function setSlice(tx: Tx, change: SliceChange): Promise<void> {
  const { thresholdPpm } = change;
  if (!Number.isSafeInteger(thresholdPpm) || thresholdPpm < 0 || thresholdPpm > neverAutoPpm) {
    throw new CountersignError("bad_request", `a threshold is an integer from 0 to ${neverAutoPpm} parts per million`);
  }
  await tx
    .insertInto("slice")
    .values({
      tenant: change.tenant,
      capability: change.capability,
      capability_version: change.capabilityVersion,
      slice: change.slice,
      threshold_ppm: thresholdPpm,
      approval_id: change.approvalId,
      entry_id: change.entryId,
    })
    .onConflict((conflict) =>
      conflict.columns(["tenant", "capability", "capability_version", "slice"]).doUpdateSet({
        threshold_ppm: thresholdPpm,
        approval_id: change.approvalId,
        entry_id: change.entryId,
        set_at: sql`clock_timestamp()`,
      }),
    )
    .execute();
}
