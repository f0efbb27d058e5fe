import { type Stopped, stoppedScopes } from "../ledger/halts.ts";
import type { Database } from "../store/database.ts";

/** What is stopped now, asked right before a send. Those who ask in the same instant share one look at the database. */
export interface Stops {
  readonly of: (tenant: string) => Promise<Stopped>;
}

/** Opens the looks at emergency stops. Each answer was read after it was asked for, so a stop that was committed before holds. */
export function openStops(database: Database): Stops {
  const waiting = new Map<string, Promise<Stopped>>();
  return {
    of(tenant) {
      const known = waiting.get(tenant);
      if (known !== undefined) return known;
      const look = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        // From here on the database is being read: whoever asks now needs a look of their own.
        waiting.delete(tenant);
        return database.inTenant(tenant, (tx) => stoppedScopes(tx, tenant));
      });
      waiting.set(tenant, look);
      return look;
    },
  };
}
