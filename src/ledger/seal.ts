import { sql } from "kysely";
import { CountersignError } from "../contract/errors.ts";
import type { ChainHead, HeadKeeper } from "../contract/ports.ts";
import type { Database, Tx } from "../store/database.ts";
import { acrossTenants } from "../store/every-tenant.ts";
import { startLoop } from "../store/loop.ts";
import { genesisHash, type Link, linkHash } from "./chain.ts";
import { refusePlaceAhead } from "./settled-place.ts";

/** What one round of sealing did. */
export interface Sealed {
  readonly entries: number;
  /** The head after the last batch; `null` where the chain is empty, or another sealer is at it. */
  readonly head: ChainHead | null;
  /** Another sealer is at the chain, so entries may be left that it does not see. */
  readonly isTaken: boolean;
}

/** Seals the entries of all tenants, each chain in the settled order of its commits. */
export interface Sealer {
  /** One round over every tenant that may have unsealed entries; returns how many entries were sealed. */
  readonly sealAll: () => Promise<number>;
  /** Stops the rounds; what was committed until then is sealed first. */
  readonly stop: () => Promise<void>;
}

const batchSize = 2_000;

/** Starts sealing every `everyMs` milliseconds under the acting role. Heads go to the keeper after their commit. */
export function createSealer({
  database,
  headKeeper,
  everyMs = 250,
  onError,
}: {
  database: Database;
  headKeeper: HeadKeeper;
  everyMs?: number;
  onError: (thrown: unknown) => void;
}): Sealer {
  // Only a hint, so that quiet tenants are not visited: chains always continue from the table.
  let seen = "0";
  const pending = new Set<string>();
  const sealPending = async ({ isPatient }: { isPatient: boolean }): Promise<number> => {
    const news = await acrossTenants({ database, look: (tx) => tenantsWithNews(tx, seen) });
    for (const tenant of news?.tenants ?? []) pending.add(tenant);
    seen = news?.settled ?? seen;
    let entries = 0;
    for (const tenant of [...pending]) {
      // A chain that is broken for one tenant must not stop the others; it stays pending and is reported each time.
      try {
        const sealed = await sealTenant({ database, tenant, headKeeper, isPatient });
        entries += sealed.entries;
        if (!sealed.isTaken) pending.delete(tenant);
      } catch (thrown) {
        onError(thrown);
      }
    }
    return entries;
  };
  // Of several sealers one is enough: whoever waited for it would hold up the clearing of dead rows, and then find little to seal.
  const loop = startLoop({ work: () => sealPending({ isPatient: false }), everyMs, onError });
  const sealAll = () => sealPending({ isPatient: true });
  return {
    sealAll,
    stop: async () => {
      await loop.stop();
      await sealAll();
    },
  };
}

/**
 * Seals what a tenant has committed and not yet sealed, in batches, and hands the head to the keeper. Waits for another sealer that is
 * at the chain, unless it is not patient: then it leaves the chain to that one.
 */
export async function sealTenant({
  database,
  tenant,
  headKeeper,
  isPatient = true,
}: {
  database: Database;
  tenant: string;
  headKeeper: HeadKeeper;
  isPatient?: boolean;
}): Promise<Sealed> {
  let entries = 0;
  for (;;) {
    const batch = await database.inTenant(tenant, (tx) => sealBatch({ tx, tenant, isPatient }));
    entries += batch.entries;
    // After the commit: a head that was kept and then rolled back would accuse an honest ledger.
    if (batch.head !== null && batch.entries > 0) await headKeeper.keep(batch.head);
    if (batch.entries < batchSize) return { ...batch, entries };
  }
}

/**
 * Tenants with entries that settled since the last look. An entry is settled when every transaction up to its own has ended:
 * nothing can appear before it any more. `seen` and `settled` are transaction numbers.
 */
async function tenantsWithNews(tx: Tx, seen: string): Promise<{ settled: string; tenants: readonly string[] }> {
  const { rows } = await sql<{ settled: string; tenants: string[] }>`
    with horizon as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as xid)
    select horizon.xid::text as settled, coalesce(array_agg(tenant.id) filter (where news.found), '{}') as tenants
    from horizon, countersign.tenant tenant, lateral (select exists (
      select from countersign.entry where entry.tenant = tenant.id and entry.xid >= ${seen}::xid8 and entry.xid < horizon.xid
    ) as found) news
    group by horizon.xid`.execute(tx);
  return rows[0] ?? { settled: seen, tenants: [] };
}

interface Batch {
  readonly ids: readonly string[];
  /** 32 bytes an entry. */
  readonly hashes: Buffer;
}

async function sealBatch({ tx, tenant, isPatient }: { tx: Tx; tenant: string; isPatient: boolean }): Promise<Sealed> {
  if (!(await lockChain({ tx, tenant, isPatient }))) return { entries: 0, head: null, isTaken: true };
  const last = await readLast(tx, tenant);
  if (last !== null) await refusePlaceAhead({ tx, tenant, xid: last.xid });
  const { ids, hashes } = await readSettled({ tx, tenant, last });
  if (ids.length === 0) return { entries: 0, head: last === null ? null : headOf(last), isTaken: false };
  const links = chain({ tenant, last, batch: { ids, hashes } });
  await insertSeals(tx, links);
  const head = links.at(-1);
  return { entries: ids.length, head: head === undefined ? null : headOf(head), isTaken: false };
}

/** One sealer per chain. The lock ends with the transaction, after its rows can be seen. */
async function lockChain({ tx, tenant, isPatient }: { tx: Tx; tenant: string; isPatient: boolean }): Promise<boolean> {
  const key = sql`hashtextextended('countersign seal', 0) # hashtextextended(${tenant}, 0)`;
  if (!isPatient) {
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${key}) as taken`.execute(tx);
    return rows[0]?.taken === true;
  }
  await sql`select pg_advisory_xact_lock(${key})`.execute(tx);
  return true;
}

/** A link that is in the table, with the place of its entry in the settled order. */
type Placed = Link & { readonly xid: string; readonly n: string };

async function readLast(tx: Tx, tenant: string): Promise<Placed | null> {
  const { rows } = await sql<{
    seq: string;
    entry_id: string;
    prev_hash: Buffer;
    entry_hash: Buffer;
    xid: string | null;
    n: string;
  }>`
    select seal.seq, seal.entry_id, seal.prev_hash, seal.entry_hash, entry.xid::text as xid, entry.n::text as n
    from (select * from countersign.seal where tenant = ${tenant} order by seq desc limit 1) seal
    left join countersign.entry on entry.tenant = seal.tenant and entry.id = seal.entry_id`.execute(tx);
  const row = rows[0];
  if (row === undefined) return null;
  const { entry_id: entryId, prev_hash: prevHash, entry_hash: entryHash, xid, n } = row;
  if (xid === null) {
    throw new CountersignError(
      "ledger_broken",
      `the last sealed entry of \`${tenant}\` is gone; run \`countersign ledger verify\``,
    );
  }
  return { tenant, seq: Number(row.seq), entryId, prevHash, entryHash, xid, n };
}

// One row for the whole batch: parsing thousands of rows costs this process more than hashing them.
async function readSettled({ tx, tenant, last }: { tx: Tx; tenant: string; last: Placed | null }): Promise<Batch> {
  const { rows } = await sql<{ ids: string | null; hashes: Buffer | null }>`
    select string_agg(id::text, ',' order by xid, n) as ids, string_agg(hash, ''::bytea order by xid, n) as hashes
    from (
      select id, hash, xid, n from countersign.entry
      where tenant = ${tenant} and (xid, n) > (${last?.xid ?? "0"}::xid8, ${last?.n ?? "0"}::bigint)
        and xid < pg_snapshot_xmin(pg_current_snapshot())
      order by xid, n limit ${batchSize}
    ) settled`.execute(tx);
  const { ids = null, hashes = null } = rows[0] ?? {};
  return ids === null || hashes === null ? { ids: [], hashes: Buffer.alloc(0) } : { ids: ids.split(","), hashes };
}

function chain({ tenant, last, batch }: { tenant: string; last: Link | null; batch: Batch }): readonly Link[] {
  let prevHash = last === null ? genesisHash : linkHash(last);
  let seq = last?.seq ?? 0;
  return batch.ids.map((entryId, i) => {
    seq += 1;
    const link = { tenant, seq, entryId, prevHash, entryHash: batch.hashes.subarray(i * 32, i * 32 + 32) };
    prevHash = linkHash(link);
    return link;
  });
}

async function insertSeals(tx: Tx, links: readonly Link[]): Promise<void> {
  const first = links[0];
  if (first === undefined) return;
  await sql`
    insert into countersign.seal (tenant, seq, entry_id, prev_hash, entry_hash)
    select ${first.tenant}, ${first.seq}::bigint + link.place - 1, link.entry_id::uuid,
      substring(${Buffer.concat(links.map(({ prevHash }) => prevHash))}::bytea from link.place::integer * 32 - 31 for 32),
      substring(${Buffer.concat(links.map(({ entryHash }) => entryHash))}::bytea from link.place::integer * 32 - 31 for 32)
    from string_to_table(${links.map(({ entryId }) => entryId).join(",")}, ',') with ordinality as link (entry_id, place)`.execute(
    tx,
  );
}

function headOf(link: Link): ChainHead {
  return { tenant: link.tenant, seq: link.seq, hash: linkHash(link).toString("hex") };
}
