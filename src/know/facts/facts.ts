import type { Context } from "../../contract/context.ts";
import type { Database } from "../../store/database.ts";
import { readFacts } from "./read.ts";

/** Joins facts in a database to the port `Context`, each question in a transaction of the asker's tenant. */
export function openFacts(database: Database): Pick<Context, "readFacts"> {
  return {
    readFacts: (need, envelope) => database.inTenant(envelope.principal.tenant, (tx) => readFacts({ tx, need, envelope })),
  };
}
