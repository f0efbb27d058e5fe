import { sql } from "kysely";
import type { Database, Tx } from "../store/database.ts";
import { acrossTenants } from "../store/every-tenant.ts";
import { type Loop, startLoop } from "../store/loop.ts";
import { databaseTime } from "../store/time.ts";
import { abandonedDraft, type Intent } from "./decision-entry.ts";
import { writeEntries } from "./entries.ts";
import type { PayloadKeys } from "./payload.ts";

/** What a sweep needs: the deciding role's database, and at most how many decisions to end in one transaction. */
export interface Sweep {
  readonly database: Database;
  readonly keys: PayloadKeys;
  readonly limit?: number;
}

/** Sweeps every `everyMs` milliseconds until it is stopped; every deciding process may run one. `onError` is told of a round that failed. */
export function createSweeper({
  everyMs = 5_000,
  onError,
  ...sweep
}: Sweep & { everyMs?: number; onError: (thrown: unknown) => void }): Loop {
  return startLoop({ work: () => sweepIntents(sweep), everyMs, onError });
}

/**
 * Ends the decisions whose lease is over by the store's clock, each with a `stopped` entry, and returns their ids.
 * Several processes sweep side by side: each skips what another has in hand.
 */
export async function sweepIntents({ database, keys, limit = 100 }: Sweep): Promise<readonly string[]> {
  const ended: string[] = [];
  for (const tenant of (await acrossTenants({ database, look: tenantsWithDue })) ?? []) {
    for (let batch = limit; batch === limit; ) {
      const ids = await database.inTenant(tenant, (tx) => sweepBatch({ tx, tenant, keys, limit }));
      ended.push(...ids);
      batch = ids.length;
    }
  }
  return ended;
}

async function tenantsWithDue(tx: Tx): Promise<readonly string[]> {
  const { rows } = await sql<{ tenant: string }>`
    select distinct tenant from countersign.intent where not ended and lease_until < clock_timestamp() order by tenant`.execute(
    tx,
  );
  return rows.map(({ tenant }) => tenant);
}

async function sweepBatch({
  tx,
  tenant,
  keys,
  limit,
}: {
  tx: Tx;
  tenant: string;
  keys: PayloadKeys;
  limit: number;
}): Promise<string[]> {
  const intents = await lockDue({ tx, tenant, limit });
  if (intents.length === 0) return [];
  const ids = intents.map(({ decisionId }) => decisionId);
  await tx.updateTable("intent").set({ ended: true }).where("tenant", "=", tenant).where("decision_id", "in", ids).execute();
  const at = await databaseTime(tx);
  await writeEntries({ tx, drafts: intents.map((intent) => abandonedDraft(intent, at)), keys });
  await assumeSpent({ tx, tenant, ids, at });
  return ids;
}

// What a dead process had under way cannot be known: all that its run had reserved counts as spent, and says that it is assumed. The
// columns of the intent hold what that is in each budget's own unit.
async function assumeSpent({
  tx,
  tenant,
  ids,
  at,
}: {
  tx: Tx;
  tenant: string;
  ids: readonly string[];
  at: number;
}): Promise<void> {
  await sql`
    insert into countersign.spend
    select i.tenant, i.decision_id, 0, 'assumed', 'unknown', 'failed', most.tokens, 0, 0, 0, 0, true, most.micros, ${at}, 'abandoned', '', most.tokens, most.micros
    from countersign.intent i
    cross join lateral (
      select coalesce(max(reserved) filter (where b.unit = 'micros'), 0) as micros,
        least(coalesce(max(reserved) filter (where b.unit = 'tokens'), 0), 2147483647)::integer as tokens
      from unnest(i.allotments, i.reserved) as taken (id, reserved)
      join countersign.allotment a on a.id = taken.id join countersign.budget b on b.tenant = a.tenant and b.id = a.budget
    ) as most
    where i.tenant = ${tenant} and i.decision_id = any (${[...ids]}::uuid[]) and i.allotments is not null`.execute(tx);
}

// The lock decides the race with a late close: whoever has the row first ends the intent, the other finds it ended.
async function lockDue({ tx, tenant, limit }: { tx: Tx; tenant: string; limit: number }): Promise<readonly Intent[]> {
  const { rows } = await sql<{
    decision_id: string;
    entry_id: string;
    capability: string;
    principal: string;
    cause: string | null;
  }>`
    select decision_id, entry_id, capability, principal, cause from countersign.intent
    where tenant = ${tenant} and not ended and lease_until < clock_timestamp()
    order by lease_until limit ${limit} for update skip locked`.execute(tx);
  return rows.map((row) => ({
    decisionId: row.decision_id,
    entryId: row.entry_id,
    capability: row.capability,
    principal: { tenant, id: row.principal },
    cause: row.cause,
  }));
}
