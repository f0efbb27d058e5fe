import type { Context } from "../../contract/context.ts";
import type { Clock } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import { type FreshnessCheck, type Leg, searchPassages, wordsLeg } from "./search.ts";

/** What search is opened with. */
export interface SearchOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** The ways of searching, in the order in which equals go; by words alone where it is left out. */
  readonly legs?: readonly Leg[];
  /** Looks whether the sources of what was found are as fresh as they promise. */
  readonly checkFreshness?: FreshnessCheck;
}

/** Opens search over a database. What one search reads is one snapshot, so a change of permission is seen by all of it or by the next one. */
export function openSearch({
  database,
  clock,
  legs = [wordsLeg()],
  checkFreshness,
}: SearchOptions): Pick<Context, "findPassages"> {
  return {
    findPassages: (need, envelope) =>
      database.inSnapshot(envelope.principal.tenant, (tx) =>
        searchPassages({ tx, need, envelope }, { legs, clock, checkFreshness: checkFreshness ?? null }),
      ),
  };
}
