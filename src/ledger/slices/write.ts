import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { SliceName } from "../../contract/ports.ts";
import { neverAutoPpm } from "../../contract/words.ts";
import type { Tx } from "../../store/database.ts";

/** A new threshold with the approval that permits it and the entry that records it. */
export interface SliceChange extends SliceName {
  readonly thresholdPpm: number;
  /** When it was signed, in milliseconds of the store's clock. */
  readonly grantedAt: number;
  readonly approvalId: string;
  readonly entryId: string;
}

/**
 * Sets the threshold of a slice, unless one that was signed later stands; says whether it did. Of two that were signed in the same
 * millisecond the stricter one stays. The acting half calls it in the transaction that consumes the approval: only its role has the
 * grant, and no path leads here from the deciding half.
 */
export async function setSlice(tx: Tx, change: SliceChange): Promise<boolean> {
  const { thresholdPpm } = change;
  if (!Number.isSafeInteger(thresholdPpm) || thresholdPpm < 0 || thresholdPpm > neverAutoPpm) {
    throw new CountersignError("bad_request", `a threshold is an integer from 0 to ${neverAutoPpm} parts per million`);
  }
  const standing = { threshold_ppm: thresholdPpm, granted_at: change.grantedAt, approval_id: change.approvalId };
  const set = await tx
    .insertInto("slice")
    .values({
      tenant: change.tenant,
      capability: change.capability,
      capability_version: change.capabilityVersion,
      slice: change.slice,
      entry_id: change.entryId,
      ...standing,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["tenant", "capability", "capability_version", "slice"])
        .doUpdateSet({ ...standing, entry_id: change.entryId, set_at: sql`clock_timestamp()` })
        .where(sql<boolean>`(slice.granted_at, slice.threshold_ppm) < (${change.grantedAt}::bigint, ${thresholdPpm}::integer)`),
    )
    .returning("slice.slice")
    .execute();
  return set.length === 1;
}
