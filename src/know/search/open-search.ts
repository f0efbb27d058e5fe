import type { Context } from "../../contract/context.ts";
import type { Database } from "../../store/database.ts";
import { searchPassages } from "./search.ts";

/**
 * Joins search over a database with the reading of records to the port `Context` of the deciding half. Records come as a function:
 * the acting half reads records too, and must have no path to search.
 */
export function createContext({ database, records }: { database: Database; records: Pick<Context, "readRecords"> }): Context {
  return {
    findPassages: (need, envelope) =>
      database.inTenant(envelope.principal.tenant, (tx) => searchPassages({ tx, need, envelope })),
    readRecords: records.readRecords,
  };
}
