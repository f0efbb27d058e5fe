import { tenantsToTend, tendWaiting } from "../approve/tend-waiting.ts";
import type { Tx } from "../store/database.ts";
import { acrossTenants } from "../store/every-tenant.ts";
import type { Acting } from "./acting.ts";

/** Looks after what waits for people in every tenant; gives how much lapsed. A tenant that fails holds up no other. */
export async function tendAll(
  { database, measure, ids, storeTime }: Acting,
  onError: (thrown: unknown) => void,
): Promise<number> {
  const { project } = measure;
  const look = async (tx: Tx) => tenantsToTend(tx, { now: await storeTime(tx), project });
  let lapsed = 0;
  for (const tenant of (await acrossTenants({ database, look })) ?? []) {
    try {
      const tend = async (tx: Tx) => tendWaiting({ tx, tenant, now: await storeTime(tx) }, { measure, ids });
      lapsed += (await database.inTenant(tenant, tend)).lapsed;
    } catch (thrown) {
      onError(thrown);
    }
  }
  return lapsed;
}
