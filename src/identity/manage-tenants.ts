import type pg from "pg";
import { CountersignError } from "../contract/errors.ts";
import { holdLock } from "../store/hold-lock.ts";
import { asOwner } from "../store/owner.ts";

/** One tenant as it stands. */
export interface ListedTenant {
  readonly id: string;
  readonly name: string;
  readonly state: "active" | "suspended" | "closed";
  readonly since: Date;
  readonly accounts: number;
}

/** What closing a tenant erased. */
export interface Closed {
  readonly payloads: number;
  readonly accounts: number;
  readonly keys: number;
  readonly documents: number;
  /** It was closed before, and nothing was left to erase. */
  readonly wasClosed: boolean;
}

/** Lists the tenants by id. */
export function listTenants(adminUrl: string): Promise<readonly ListedTenant[]> {
  return asOwner(adminUrl, async (client) => {
    const { rows } = await client.query<ListedTenant>(
      `select id, name, state, state_since as since,
        (select count(*)::int from account where account.tenant = tenant.id) as accounts from tenant order by id`,
    );
    return rows;
  });
}

/**
 * Suspends a tenant, or lets it go on: from then on nothing is asked, decided or sent, and what is under way is seen to its end.
 * Throws `not_found` where there is none, or it is closed.
 */
export function setTenantState(
  adminUrl: string,
  { tenant, state }: { tenant: string; state: "active" | "suspended" },
): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    const changed = await client.query(
      `update tenant set state = $2, state_since = case when state = $2 then state_since else clock_timestamp() end
      where id = $1 and state <> 'closed'`,
      [tenant, state],
    );
    if (changed.rowCount === 0) throw noTenant(tenant);
  });
}

/**
 * Closes a suspended tenant for good: payloads, cases, documents, accounts and keys are erased and the tenant's key destroyed, in one
 * transaction. The ledger stays, and verifies. Throws `not_found`, and `in_progress` where it is not suspended, work is under way, or
 * something of it is held.
 */
export function closeTenant(adminUrl: string, tenant: string): Promise<Closed> {
  return asOwner(adminUrl, async (client) => {
    await client.query("begin");
    try {
      const closed = await close(client, tenant);
      await client.query("commit");
      return closed;
    } catch (thrown) {
      await client.query("rollback");
      throw thrown;
    }
  });
}

async function close(client: pg.Client, tenant: string): Promise<Closed> {
  const found = await client.query<{ state: string }>("select state from tenant where id = $1 for update", [tenant]);
  const state = found.rows[0]?.state;
  if (state === undefined) throw noTenant(tenant);
  if (state === "closed") return { payloads: 0, accounts: 0, keys: 0, documents: 0, wasClosed: true };
  if (state !== "suspended") throw underWay(`\`${tenant}\` is at work; suspend it first with \`countersign tenant suspend\``);
  await refuseUnderWay(client, tenant);
  await refuseHeld(client, tenant);
  const erase = async (text: string): Promise<number> => (await client.query(text, [tenant])).rowCount ?? 0;
  const payloads = await erase(
    "update payload set body = null, erased_at = clock_timestamp() where tenant = $1 and body is not null",
  );
  await erase("update wanted set state = 'failed', body = null, code = 'tenant_closed' where tenant = $1 and state = 'waiting'");
  await erase("update case_event set body = '' where tenant = $1");
  await erase("update case_run set body = '' where tenant = $1 and state = 'ended'");
  await erase(
    `update case_run set body = '', state = 'ended', outcome = 'tenant_closed', is_failure = true, due_at = null
    where tenant = $1 and state <> 'ended'`,
  );
  // What waits would be looked after for ever, and would want the key that is gone.
  await erase("update approval set state = 'expired' where tenant = $1 and state = 'granted'");
  await erase("delete from waiting where tenant = $1");
  await erase("update notice set state = 'failed' where tenant = $1 and state = 'waiting'");
  // First: whoever files documents holds its source while it does, and is waited for; then nothing is filed any more.
  await erase("delete from source where tenant = $1");
  await erase("delete from embedding where tenant = $1");
  for (const table of ["posting", "audience_term"]) await erase(`delete from ${table} where tenant = $1`);
  const documents = await erase("delete from document where tenant = $1");
  for (const table of ["audience", "collection"]) await erase(`delete from ${table} where tenant = $1`);
  const keys = await erase("delete from api_key where tenant = $1");
  const accounts = await erase("delete from account where tenant = $1");
  // Last, since a closed tenant's row never changes again.
  await erase("update tenant set state = 'closed', key_salt = '', state_since = clock_timestamp() where id = $1");
  return { payloads, accounts, keys, documents, wasClosed: false };
}

/** What must not be erased is released first, by whoever held it. */
async function refuseHeld(client: pg.Client, tenant: string): Promise<void> {
  await client.query("select pg_advisory_xact_lock_shared(hashtextextended($1, 0))", [holdLock(tenant)]);
  const { rowCount } = await client.query("select from hold where tenant = $1 and released_at is null limit 1", [tenant]);
  if (rowCount === 0) return;
  throw underWay(`something of \`${tenant}\` is held and must not be erased; see \`countersign retention show\``);
}

/** What was begun is ended first: its last entries are written under the key that is to be destroyed. */
async function refuseUnderWay(client: pg.Client, tenant: string): Promise<void> {
  const { rows } = await client.query<{ decisions: number; operations: number }>(
    `select (select count(*)::int from intent where tenant = $1 and not ended) as decisions,
      (select count(*)::int from operation where tenant = $1
        and state in ('applying', 'applied', 'incomplete', 'unknown', 'retrying', 'compensating')) as operations`,
    [tenant],
  );
  const { decisions = 0, operations = 0 } = rows[0] ?? {};
  if (decisions + operations === 0) return;
  throw underWay(
    `${decisions} decisions and ${operations} operations of \`${tenant}\` are under way; close it once they have ended`,
  );
}

function underWay(message: string): CountersignError {
  return new CountersignError("in_progress", message);
}

function noTenant(tenant: string): CountersignError {
  return new CountersignError("not_found", `there is no open tenant \`${tenant}\`; see \`countersign tenant list\``);
}
