import { sql } from "kysely";
import type { SliceEvidence } from "../../contract/autonomy.ts";
import { CountersignError } from "../../contract/errors.ts";
import { canonicalJson } from "../../contract/json.ts";
import type { SliceName } from "../../contract/ports.ts";
import { neverAutoPpm } from "../../contract/words.ts";
import type { Tx } from "../../store/database.ts";

/** A new threshold with the approval that permits it, the entry that records it, and what it rests on. */
export interface SliceChange extends SliceName {
  readonly thresholdPpm: number;
  /** When it was signed, in milliseconds of the store's clock. */
  readonly grantedAt: number;
  readonly approvalId: string;
  readonly entryId: string;
  readonly basis: string;
  readonly calibration: string;
  readonly evidence: SliceEvidence | null;
  /** The digest of what the observing connectors declare now. */
  readonly connectors: string;
}

/**
 * Sets the threshold of a slice, unless one that was signed later stands, or it was taken back since; says whether it did. Of two that were
 * signed in the same millisecond the stricter one stays. The acting half calls it in the transaction that consumes the approval: only its
 * role has the grant, and no path leads here from the deciding half.
 */
export async function setSlice(tx: Tx, change: SliceChange): Promise<boolean> {
  const { thresholdPpm, basis, calibration, connectors, evidence } = change;
  if (!Number.isSafeInteger(thresholdPpm) || thresholdPpm < 0 || thresholdPpm > neverAutoPpm) {
    throw new CountersignError("bad_request", `a threshold is an integer from 0 to ${neverAutoPpm} parts per million`);
  }
  const standing = {
    ...{ threshold_ppm: thresholdPpm, granted_at: change.grantedAt, approval_id: change.approvalId, entry_id: change.entryId },
    ...{ basis, calibration, connectors, evidence: evidence === null ? null : canonicalJson(evidence) },
    watch: null,
  };
  const { tenant, capability, capabilityVersion, slice } = change;
  const set = await tx
    .insertInto("slice")
    .values({ tenant, capability, capability_version: capabilityVersion, slice, ...standing })
    .onConflict((conflict) =>
      conflict
        .columns(["tenant", "capability", "capability_version", "slice"])
        .doUpdateSet({ ...standing, set_at: sql`clock_timestamp()` })
        .where(sql<boolean>`(slice.granted_at, slice.threshold_ppm) < (${change.grantedAt}::bigint, ${thresholdPpm}::integer)`),
    )
    .returning("slice.slice")
    .execute();
  return set.length === 1;
}

/**
 * Holds a breach of a slice whether it is open or not: no threshold that was signed before opens it from this transaction on, and where
 * the slice begins `anew`, nothing that was decided before proves anything. `entryId` is the entry that shows it. The row stays locked.
 */
export async function markBreach(
  tx: Tx,
  {
    tenant,
    capability,
    capabilityVersion,
    slice,
    now,
    entryId,
    anew,
  }: SliceName & { readonly now: number; readonly entryId: string; readonly anew: boolean },
): Promise<void> {
  const provesFrom = anew ? now : 0;
  await sql`
    insert into countersign.slice as known
      (tenant, capability, capability_version, slice, threshold_ppm, granted_at, approval_id, entry_id, proves_from)
    values (${tenant}, ${capability}, ${capabilityVersion}, ${slice}, ${neverAutoPpm}, ${now}, null, ${entryId}, ${provesFrom})
    on conflict (tenant, capability, capability_version, slice) do update set
      granted_at = greatest(known.granted_at, excluded.granted_at), proves_from = greatest(known.proves_from, excluded.proves_from),
      entry_id = excluded.entry_id, set_at = clock_timestamp()`.execute(tx);
}

/**
 * Closes the other versions of a slice that an owner closed, as far as they were opened before: while two versions of a project run side by
 * side, whoever closes it means what goes alone now.
 */
export async function closeOtherVersions(
  tx: Tx,
  {
    tenant,
    capability,
    capabilityVersion,
    slice,
    grantedAt,
    approvalId,
    entryId,
  }: SliceName & Pick<SliceChange, "grantedAt" | "approvalId" | "entryId">,
): Promise<void> {
  await tx
    .updateTable("slice")
    .set({ threshold_ppm: neverAutoPpm, granted_at: grantedAt, approval_id: approvalId, entry_id: entryId, watch: null })
    .set({ set_at: sql`clock_timestamp()` })
    .where("tenant", "=", tenant)
    .where("capability", "=", capability)
    .where("capability_version", "<>", capabilityVersion)
    .where("slice", "=", slice)
    .where("threshold_ppm", "<", neverAutoPpm)
    .where("granted_at", "<=", grantedAt)
    .execute();
}

/**
 * Takes a slice back: nothing of it goes alone from this transaction on, and no threshold that was signed before opens it. Returns what it
 * was, `null` where it was not open.
 */
export async function closeSlice(
  tx: Tx,
  { tenant, capability, capabilityVersion, slice, now, entryId }: SliceName & { readonly now: number; readonly entryId: string },
): Promise<{ readonly fromPpm: number; readonly approvalId: string | null } | null> {
  const { rows } = await sql<{ threshold_ppm: number; approval_id: string | null }>`
    with open as (
      select threshold_ppm, approval_id from countersign.slice
      where tenant = ${tenant} and capability = ${capability} and capability_version = ${capabilityVersion} and slice = ${slice}
        and threshold_ppm < ${neverAutoPpm}
      for update)
    update countersign.slice set threshold_ppm = ${neverAutoPpm}, granted_at = greatest(slice.granted_at, ${now}::bigint),
      entry_id = ${entryId}, set_at = clock_timestamp(), watch = null
    from open
    where slice.tenant = ${tenant} and slice.capability = ${capability} and slice.capability_version = ${capabilityVersion}
      and slice.slice = ${slice}
    returning open.threshold_ppm, open.approval_id`.execute(tx);
  const [row] = rows;
  return row === undefined ? null : { fromPpm: row.threshold_ppm, approvalId: row.approval_id };
}

/** Keeps what was seen of a slice that stands open. */
export async function keepWatch(
  tx: Tx,
  { tenant, capability, capabilityVersion, slice, watch }: SliceName & { readonly watch: string },
): Promise<void> {
  await tx
    .updateTable("slice")
    .set({ watch })
    .where("tenant", "=", tenant)
    .where("capability", "=", capability)
    .where("capability_version", "=", capabilityVersion)
    .where("slice", "=", slice)
    .execute();
}
