import type { Clock, SliceName, Slices } from "../contract/ports.ts";
import { neverAutoPpm } from "../contract/words.ts";
import type { Database, Tx } from "../store/database.ts";

type Thresholds = ReadonlyMap<string, number>;

/**
 * Reads thresholds for the deciding side, a tenant's at a time, and keeps them for `freshMs` (a second). A stale one does no
 * harm: it only routes, and the acting side reads the threshold again (`readThreshold`) before it lets anything through.
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

/** The threshold of a slice as it stands in this transaction; one that nobody opened is above every confidence. */
export async function readThreshold(tx: Tx, { tenant, capability, capabilityVersion, slice }: SliceName): Promise<number> {
  const row = await tx
    .selectFrom("slice")
    .select("threshold_ppm")
    .where("tenant", "=", tenant)
    .where("capability", "=", capability)
    .where("capability_version", "=", capabilityVersion)
    .where("slice", "=", slice)
    .executeTakeFirst();
  return row?.threshold_ppm ?? neverAutoPpm;
}

async function readThresholds(tx: Tx, tenant: string): Promise<Thresholds> {
  const rows = await tx.selectFrom("slice").selectAll().where("tenant", "=", tenant).execute();
  return new Map(
    rows.map((row) => [
      keyOf({ capability: row.capability, capabilityVersion: row.capability_version, slice: row.slice }),
      row.threshold_ppm,
    ]),
  );
}

function keyOf({ capability, capabilityVersion, slice }: Omit<SliceName, "tenant">): string {
  return `${capability}\n${capabilityVersion}\n${slice}`;
}
