import type { Keeper, KeptSight } from "../../contract/keeping.ts";
import type { Database } from "../../store/database.ts";
import { correctFact, succeedFact } from "./replace.ts";
import { standingFacts } from "./sight.ts";
import { changeFactScopes, declarePredicates, eraseFacts, nameFactSource, writeFacts } from "./write.ts";

/** Joins the writing of facts to the port `Keeper`, each call a transaction of its own; for the acting half alone. */
export function openFactKeeper(database: Database): Omit<Keeper, "remember" | "forget"> {
  return {
    nameSource: (tenant, source) => database.inTenant(tenant, (tx) => nameFactSource({ tx, tenant }, source)),
    declarePredicates: (tenant, mapping) => database.inTenant(tenant, (tx) => declarePredicates({ tx, tenant }, mapping)),
    writeFacts: (place, told) => database.inTenant(place.tenant, (tx) => writeFacts({ tx, ...place }, told)),
    succeedFact: (place, told) => database.inTenant(place.tenant, (tx) => succeedFact({ tx, ...place }, told)),
    correctFact: (tenant, told) => database.inTenant(tenant, (tx) => correctFact({ tx, tenant }, told)),
    changeFactScopes: (tenant, told) => database.inTenant(tenant, (tx) => changeFactScopes({ tx, tenant }, told)),
    eraseFacts: (tenant, entity) => database.inTenant(tenant, (tx) => eraseFacts({ tx, tenant }, entity)),
  };
}

/** Joins the looking at facts to the port `KeptSight`. */
export function openFactSight(database: Database): Pick<KeptSight, "facts"> {
  return { facts: (tenant, asked) => database.inTenant(tenant, (tx) => standingFacts(tx, { tenant, ...asked })) };
}
