import { sql } from "kysely";
import type { SliceEvidence } from "../contract/autonomy.ts";
import type { Clock, SliceName, Slices } from "../contract/ports.ts";
import { neverAutoPpm } from "../contract/words.ts";
import type { Database, Tx } from "../store/database.ts";
import { parseEvidence } from "./slices/evidence.ts";

type Thresholds = ReadonlyMap<string, number>;

/** A slice as it stands: its threshold, and what a person signed that it rests on. */
export interface StandingSlice extends SliceName {
  readonly thresholdPpm: number;
  /** `null` where it was opened before such things were kept. */
  readonly basis: string | null;
  readonly calibration: string | null;
  readonly connectors: string | null;
  /** `null` where a person signed without any. */
  readonly evidence: SliceEvidence | null;
  /** When the threshold was signed, or a breach was seen of it, in milliseconds of the store's clock. */
  readonly grantedAt: number;
  /** What was decided before proves nothing any more, in milliseconds of the store's clock; 0 where all of it does. */
  readonly provesFrom: number;
  /** The approval that set it, `null` where nobody opened it; and the newest entry that tells of it. */
  readonly approvalId: string | null;
  readonly entryId: string;
  /** What was seen of it since, as it was kept. */
  readonly watch: string | null;
}

/**
 * Reads thresholds for the deciding side, a tenant's at a time, and keeps them for `freshMs` (a second). A stale one does no
 * harm: it only routes, and the acting side reads the slice again (`readSlice`) before it lets anything through.
 */
export function readSlices({ database, clock, freshMs = 1_000 }: { database: Database; clock: Clock; freshMs?: number }): Slices {
  const tenants = new Map<string, { readonly at: number; readonly thresholds: Promise<Thresholds> }>();
  const thresholdsOf = (tenant: string): Promise<Thresholds> => {
    const known = tenants.get(tenant);
    const at = clock.monotonic();
    if (known !== undefined && at - known.at < freshMs) return known.thresholds;
    const thresholds = database.inTenant(tenant, (tx) => readThresholds(tx, tenant));
    tenants.set(tenant, { at, thresholds });
    // A read that failed answers those who wait for it and nobody after them.
    thresholds.catch(() => tenants.delete(tenant));
    return thresholds;
  };
  return { thresholdPpm: async (slice) => (await thresholdsOf(slice.tenant)).get(keyOf(slice)) ?? neverAutoPpm };
}

/** The slice as it stands in this transaction; `null` for one that nobody opened and of which no breach was seen. */
export async function readSlice(
  tx: Tx,
  { tenant, capability, capabilityVersion, slice }: SliceName,
): Promise<StandingSlice | null> {
  const row = await tx
    .selectFrom("slice")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("capability", "=", capability)
    .where("capability_version", "=", capabilityVersion)
    .where("slice", "=", slice)
    .executeTakeFirst();
  return row === undefined ? null : standingOf(row);
}

/** Every slice of a tenant that was ever opened, or of which a breach was seen. */
export async function listSlices(tx: Tx, tenant: string): Promise<readonly StandingSlice[]> {
  const rows = await tx.selectFrom("slice").selectAll().where("tenant", "=", tenant).execute();
  return rows.map(standingOf);
}

/** The open slices of a tenant, locked; those that another worker holds are left to it. */
export async function lockOpenSlices(tx: Tx, tenant: string): Promise<readonly StandingSlice[]> {
  const query = tx.selectFrom("slice").selectAll().where("tenant", "=", tenant).where("threshold_ppm", "<", neverAutoPpm);
  return (await query.forUpdate().skipLocked().execute()).map(standingOf);
}

/** The tenants that have an open slice, among those that the transaction names. */
export async function tenantsWithOpenSlices(tx: Tx): Promise<readonly string[]> {
  const { rows } = await sql<{ tenant: string }>`
    select distinct tenant from countersign.slice where threshold_ppm < ${neverAutoPpm}`.execute(tx);
  return rows.map(({ tenant }) => tenant);
}

async function readThresholds(tx: Tx, tenant: string): Promise<Thresholds> {
  const slices = await listSlices(tx, tenant);
  return new Map(slices.map((one) => [keyOf(one), one.thresholdPpm]));
}

interface SliceRow {
  readonly tenant: string;
  readonly capability: string;
  readonly capability_version: string;
  readonly slice: string;
  readonly threshold_ppm: number;
  readonly granted_at: string | number;
  readonly approval_id: string | null;
  readonly entry_id: string;
  readonly basis: string | null;
  readonly calibration: string | null;
  readonly connectors: string | null;
  readonly evidence: string | null;
  readonly watch: string | null;
  readonly proves_from: string | number;
}

function standingOf(row: SliceRow): StandingSlice {
  const { tenant, capability, slice, basis, calibration, connectors, watch } = row;
  return {
    ...{ tenant, capability, capabilityVersion: row.capability_version, slice, thresholdPpm: row.threshold_ppm },
    ...{ basis, calibration, connectors, watch, evidence: row.evidence === null ? null : parseEvidence(row.evidence) },
    ...{ grantedAt: Number(row.granted_at), provesFrom: Number(row.proves_from) },
    ...{ approvalId: row.approval_id, entryId: row.entry_id },
  };
}

function keyOf({ capability, capabilityVersion, slice }: Omit<SliceName, "tenant">): string {
  return `${capability}\n${capabilityVersion}\n${slice}`;
}
