import { sql } from "kysely";
import { type Embedder, vectorsOf } from "../../contract/embedder.ts";
import { messageOf } from "../../contract/errors.ts";
import type { Clock } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import { embedMissing } from "./embed-missing.ts";

/** Whoever gives passages their vectors. */
export interface VectorKeeper {
  /** Looks at every open tenant once, and gives what is missing. Throws what the embedder or the database throws, after all were seen to. */
  readonly round: () => Promise<void>;
  /** Ends a round between two batches. */
  readonly stop: () => void;
}

/** What a keeper of vectors takes. */
export interface KeeperParts {
  /** Under the role `ingesting`. */
  readonly database: Database;
  readonly embedder: Embedder;
  readonly clock: Pick<Clock, "monotonic">;
  /** The ids of all tenants that are open. */
  readonly tenants: () => Promise<readonly string[]>;
}

/** How long an embedder that did not answer is left alone, in milliseconds. */
const restMs = 10_000;
/** How often it is kept that nothing is missing, in milliseconds. */
const tellMs = 60_000;

/**
 * Keeps the passages of all tenants supplied with the vectors of one embedder, whoever filed them. It looks at each passage once; where the
 * embedder does not answer, passages are found by their words and it is asked again after a while. How it is stands in the table `embedding`.
 */
export function keepVectors({ database, embedder, clock, tenants }: KeeperParts): VectorKeeper {
  const seen = new Map<string, { through: string; toldAt: number }>();
  let isStopping = false;
  let restUntil = Number.NEGATIVE_INFINITY;
  const see = async (tenant: string): Promise<void> => {
    const before = seen.get(tenant);
    try {
      const { given, through } = await embedMissing(database, {
        ...{ tenant, embedder, isStopping: () => isStopping },
        ...(before === undefined ? {} : { after: before.through }),
      });
      const isTold = given === 0 && before !== undefined && clock.monotonic() - before.toldAt < tellMs;
      if (!isTold && !isStopping) await tell(database, { tenant, embedder, fault: null });
      seen.set(tenant, { through, toldAt: isTold ? before.toldAt : clock.monotonic() });
    } catch (thrown) {
      restUntil = clock.monotonic() + restMs;
      await tell(database, { tenant, embedder, fault: messageOf(thrown) });
      throw thrown;
    }
  };
  return {
    async round() {
      if (clock.monotonic() < restUntil) return;
      const thrown: unknown[] = [];
      for (const tenant of await tenants()) if (!isStopping) await see(tenant).catch((one) => thrown.push(one));
      if (thrown.length > 0) throw thrown[0];
    },
    stop() {
      isStopping = true;
    },
  };
}

/** Keeps what gives the vectors of a tenant, and why it could not. */
async function tell(
  database: Database,
  { tenant, embedder, fault }: { tenant: string; embedder: Embedder; fault: string | null },
): Promise<void> {
  await database.inTenant(tenant, (tx) =>
    sql`
      insert into countersign.embedding (tenant, embedder, fault) select id, ${vectorsOf(embedder)}, ${fault}
      from countersign.tenant where id = ${tenant} and state <> 'closed'
      on conflict (tenant) do update set embedder = excluded.embedder, fault = excluded.fault, told_at = excluded.told_at`.execute(
      tx,
    ),
  );
}
