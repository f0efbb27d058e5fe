import type { Keeper, KeptSight } from "../../contract/keeping.ts";
import type { MemoryRule } from "../../contract/memory.ts";
import type { Database } from "../../store/database.ts";
import { keptTexts } from "./sight.ts";
import { forgetMemory, keepMemory } from "./write.ts";

/** Joins the keeping of memory to the port `Keeper`; `rememberedBy` says what a capability keeps. For the acting half alone. */
export function openMemoryKeeper({
  database,
  rememberedBy,
}: {
  database: Database;
  rememberedBy: (capability: string) => readonly MemoryRule[];
}): Pick<Keeper, "remember" | "forget"> {
  return {
    remember: ({ tenant, decision, of, scope, text, session = null, about = null, scopes = [] }) => {
      const { id: decisionId, capability, requestedBy: owner, onBehalfOf } = decision;
      const draft = { of, scope, session, owner, about, text, scopes };
      return database.inTenant(tenant, (tx) =>
        keepMemory({ tx, tenant, capability, decisionId, onBehalfOf }, { draft, remembers: rememberedBy(capability) }),
      );
    },
    forget: (tenant, what) => database.inTenant(tenant, (tx) => forgetMemory({ tx, tenant }, what)),
  };
}

/** Joins the looking at memory to the port `KeptSight`. */
export function openMemorySight(database: Database): Pick<KeptSight, "memory"> {
  return { memory: (tenant, asked) => database.inTenant(tenant, (tx) => keptTexts(tx, { tenant, ...asked })) };
}
