import { sql } from "kysely";
import type { Ids } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import { acrossTenants } from "../../store/every-tenant.ts";
import { type Loop, startLoop } from "../../store/loop.ts";
import type { StoreTime } from "../../store/time.ts";
import type { PayloadKeys } from "../payload.ts";
import type { ErasedPart, Eraser } from "./erase.ts";
import { eraseDue, spreadRequest } from "./requests.ts";
import type { DeclaredRetention } from "./rules.ts";
import { walkOutcomes } from "./walk.ts";

/** How often requests are looked for, and how often what is kept beyond its days, in milliseconds. */
const askedMs = 2_000;
const oldMs = 600_000;

/** What erasing is done with. */
export interface ErasureParts {
  /** Under the role `acting`. */
  readonly database: Database;
  readonly keys: PayloadKeys;
  readonly ids: Ids;
  readonly storeTime: StoreTime;
  readonly declared: DeclaredRetention;
  /** Told of what failed for one tenant; the others get their turn. */
  readonly onError: (thrown: unknown) => void;
}

/** Ends what is kept. Each group is a transaction of its own, so one that is killed is taken up again where it stood. */
export interface Erasures {
  /** Carries out what is due of requests; returns how many erasures were written. */
  readonly carryOut: () => Promise<number>;
  /** Walks on through what is kept, and has ended what is beyond its days; returns how many erasures were written. */
  readonly endOld: () => Promise<number>;
  /** One of each. */
  readonly round: () => Promise<number>;
  /** Does both again and again until each loop is stopped. */
  readonly start: () => readonly Loop[];
  /** Has what is under way end after its group. */
  readonly stop: () => void;
}

/** Opens the erasures of all tenants. Any number of workers may run them side by side. */
export function openErasures(parts: ErasureParts): Erasures {
  let isStopping = false;
  const group = <T>(tenant: string, work: (eraser: Eraser) => Promise<T>): Promise<T> =>
    parts.database.inTenant(tenant, async (tx) =>
      work({ tx, tenant, keys: parts.keys, ids: parts.ids, now: await parts.storeTime(tx) }),
    );
  const toEnd = async (tenant: string, work: (eraser: Eraser) => Promise<{ erased: number; isMore: boolean }>) => {
    let erased = 0;
    for (let isMore = true; isMore && !isStopping; ) {
      const done = await group(tenant, work);
      erased += done.erased;
      isMore = done.isMore;
    }
    return erased;
  };
  const carryOut = async () =>
    eachTenant(await tenantsWithDue(parts), parts, async (tenant) => {
      while (!isStopping && (await group(tenant, spreadRequest)).isMore);
      return toEnd(tenant, eraseDue);
    });
  const endOld = async () =>
    eachTenant(await parts.database.tenants(), parts, async (tenant) => {
      let erased = 0;
      for (const part of partsInOrder) erased += await toEnd(tenant, (eraser) => walkOutcomes(part, eraser, parts.declared));
      return erased;
    });
  return {
    carryOut,
    endOld,
    round: async () => (await carryOut()) + (await endOld()),
    start: () => [
      startLoop({ work: carryOut, everyMs: askedMs, onError: parts.onError }),
      startLoop({ work: endOld, everyMs: oldMs, onError: parts.onError }),
    ],
    stop: () => {
      isStopping = true;
    },
  };
}

/** The whole first: of what is gone there are no inputs to end. */
const partsInOrder: readonly ErasedPart[] = ["payload", "inputs"];

async function eachTenant(
  tenants: readonly string[],
  { onError }: ErasureParts,
  work: (tenant: string) => Promise<number>,
): Promise<number> {
  let sum = 0;
  for (const tenant of tenants) {
    try {
      sum += await work(tenant);
    } catch (thrown) {
      onError(thrown);
    }
  }
  return sum;
}

async function tenantsWithDue({ database, storeTime }: ErasureParts): Promise<readonly string[]> {
  const found = await acrossTenants({
    database,
    look: async (tx) => {
      const now = await storeTime(tx);
      const { rows } = await sql<{ tenant: string }>`
        select distinct tenant from countersign.erasure where due_at <= to_timestamp(${now} / 1000.0) order by tenant`.execute(
        tx,
      );
      return rows.map(({ tenant }) => tenant);
    },
  });
  return found ?? [];
}
