import { sql } from "kysely";
import type { Ids } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import { acrossTenants } from "../../store/every-tenant.ts";
import { type Loop, startLoop } from "../../store/loop.ts";
import type { StoreTime } from "../../store/time.ts";
import type { PayloadKeys } from "../payload.ts";
import type { Eraser } from "./erase.ts";
import { walkLate } from "./late-words.ts";
import type { ErasureOf } from "./manage-erasure.ts";
import { spreadRequest } from "./person-request.ts";
import { eraseDue, partsInOrder } from "./requests.ts";
import { type DeclaredRetention, readRules } from "./rules.ts";
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
  /** Carries out one request and nothing else; throws what failed. */
  readonly carryOutOne: (one: { readonly tenant: string; readonly of: ErasureOf }) => Promise<CarriedOut>;
  /** Walks on through what is kept, and has ended what is beyond its days; returns how many erasures were written. */
  readonly endOld: () => Promise<number>;
  /** One of each. */
  readonly round: () => Promise<number>;
  /** Does both again and again until each loop is stopped. */
  readonly start: () => readonly Loop[];
  /** Has what is under way end after its group. */
  readonly stop: () => void;
}

/** What became of one request: how many erasures were written, and of which decisions it asks. */
export interface CarriedOut {
  readonly erased: number;
  readonly decisionIds: readonly string[];
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
  const spread = async (tenant: string, person: string | null): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let isMore = true; isMore && !isStopping; ) {
      const done = await group(tenant, (eraser) => spreadRequest(eraser, person));
      found.push(...done.decisionIds);
      isMore = done.isMore;
    }
    return found;
  };
  const carryOut = async () =>
    eachTenant(await tenantsWithDue(parts), parts, async (tenant) => {
      await spread(tenant, null);
      return toEnd(tenant, async (eraser) => eraseDue(eraser, { rules: await versionsOf(eraser, parts.declared), asked: null }));
    });
  const carryOutOne = async ({ tenant, of }: { tenant: string; of: ErasureOf }): Promise<CarriedOut> => {
    const decisionIds = "decisionId" in of ? [of.decisionId] : await spread(tenant, of.person);
    return { decisionIds, erased: await toEnd(tenant, (eraser) => eraseDue(eraser, { rules: [], asked: decisionIds })) };
  };
  const endOld = async () =>
    eachTenant(await parts.database.tenants(), parts, async (tenant) => {
      let erased = 0;
      for (const part of partsInOrder) erased += await toEnd(tenant, (eraser) => walkOutcomes(part, eraser, parts.declared));
      await toEnd(tenant, walkLate);
      return erased;
    });
  return {
    carryOut,
    carryOutOne,
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

async function versionsOf({ tx, tenant }: Eraser, declared: DeclaredRetention): Promise<readonly string[]> {
  const versions: string[] = [];
  for (const part of partsInOrder) versions.push((await readRules({ tx, tenant, part }, declared)).version);
  return versions;
}

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
