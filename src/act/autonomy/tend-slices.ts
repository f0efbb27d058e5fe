import type { Capability } from "../../contract/capability.ts";
import type { Breach } from "../../contract/words.ts";
import { groundChange } from "../../define/authority-basis.ts";
import { lockOpenSlices, type StandingSlice, tenantsWithOpenSlices } from "../../ledger/slices.ts";
import type { Tx } from "../../store/database.ts";
import { sha256Digest } from "../../store/digest.ts";
import { acrossTenants } from "../../store/every-tenant.ts";
import type { Acting } from "../acting.ts";
import { connectorsOf } from "./connectors-of.ts";
import { type Demotion, demoteSlices } from "./demote.ts";
import { watchSlice } from "./watch-slice.ts";

type Tending = Pick<Acting, "database" | "measure" | "hands" | "ids" | "storeTime"> & {
  readonly onError: (thrown: unknown) => void;
};

/**
 * Looks after every open slice: whether the definition that earned it and what its connectors declare are still those of this process, its
 * evidence reaches the bar of today, and whether confidences and people's answers are as they were. What is not comes down in the transaction in which it was seen. Returns how
 * many slices came down. A fault of one tenant is told and keeps nobody else from their turn.
 */
export async function tendSlices(acting: Omit<Tending, "onError">, onError: Tending["onError"]): Promise<number> {
  const tending: Tending = { ...acting, onError };
  const tenants = (await acrossTenants({ database: tending.database, look: tenantsWithOpenSlices })) ?? [];
  let demoted = 0;
  for (const tenant of tenants) {
    try {
      demoted += await tending.database.inTenant(tenant, (tx) => tendTenant(tx, tenant, tending));
    } catch (thrown) {
      onError(thrown);
    }
  }
  return demoted;
}

async function tendTenant(tx: Tx, tenant: string, tending: Tending): Promise<number> {
  const demotions: Demotion[] = [];
  const { environment } = tending.measure;
  for (const slice of await lockOpenSlices(tx, tenant)) {
    const capability = tending.measure.project.capabilities.find(({ name }) => name === slice.capability);
    // Of another version nothing goes alone here; a process that has it looks after its slices.
    if (capability === undefined || capability.version !== slice.capabilityVersion) continue;
    const changed = changeOf(slice, capability, tending);
    const seen =
      changed === null
        ? await watchSlice(tx, slice, { ...capability, environment, onError: tending.onError })
        : { breach: changed, cause: slice.entryId };
    if (seen !== null) demotions.push({ ...slice, ...seen, decisionId: null });
  }
  if (demotions.length === 0) return 0;
  return demoteSlices({ tx, demotions, now: await tending.storeTime(tx) }, tending);
}

function changeOf(slice: StandingSlice, capability: Capability, { hands }: Pick<Acting, "hands">): Breach | null {
  const changed = groundChange(slice, capability, sha256Digest);
  if (changed === "definition_changed") return changed;
  return slice.connectors === connectorsOf(capability, hands) ? changed : "connector_changed";
}
