import type { Clock, HeadKeeper } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import type { PublicKeys } from "../../store/signature.ts";
import { genesisHash, type Link, linkHash } from "../chain.ts";
import { type Break, verifyLedger } from "../verify.ts";
import { checkEntry } from "../verify-entry.ts";
import { type LinkedEntry, readLinks } from "../verify-pages.ts";
import type { CheckProgress } from "./check-record.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { type GrowingTree, growTree } from "./merkle.ts";

/** What a watch is made from. Times are in milliseconds. */
export interface Watching {
  readonly database: Database;
  readonly headKeeper: HeadKeeper;
  /** Whose `restored` entries are believed. */
  readonly restoredBy?: PublicKeys;
  readonly clock: Clock;
  /** Reads the checkpoints that were signed of a tenant; those that cannot be believed are its fault to tell. */
  readonly known: (tenant: string) => Promise<readonly Checkpoint[]>;
  /** Signs, keeps and hands on a checkpoint; `null` where nobody has a key. */
  readonly publish: ((checkpoint: { tenant: string; size: number; root: Buffer }) => Promise<void>) | null;
  /** Told how far the walk has come: whenever it came further, and else every ten seconds. */
  readonly progress?: (progress: CheckProgress) => Promise<void>;
  /** Told of a break, once for each time that it is found. */
  readonly report: (tenant: string, broken: Break) => Promise<void>;
  readonly onError: (thrown: unknown) => void;
  /** How many entries are looked at in a round, so that the check never takes much of a worker. */
  readonly entriesARound?: number;
  readonly publishEveryMs?: number;
  /** After this long a ledger is checked from its beginning again. */
  readonly anewEveryMs?: number;
}

/** A check that goes on: of what is new since the last round, and of everything again once a day. */
export interface LedgerWatch {
  /** Looks at the next entries of each tenant, and publishes what is due. Returns how many it looked at. */
  readonly round: () => Promise<number>;
}

interface Watched {
  last: Link | null;
  tree: GrowingTree;
  begunAt: number;
  known: ReadonlyMap<number, readonly Checkpoint[]> | null;
  publishedAt: number;
  /** How far what was checked is published; a rebuilt tree reaches it again before more is. */
  published: number;
  isBroken: boolean;
  /** When and of how far somebody was told. */
  toldAt: number;
  told: number;
}

/** How often is told that nothing came since, in milliseconds: whoever shows it sees that the check goes on. */
const stillMs = 10_000;

/** Opens the watch over all tenants; one that is broken is reported and left alone until the check begins anew. */
export function watchLedger(watching: Watching): LedgerWatch {
  const { database, clock, publishEveryMs = 60_000, anewEveryMs = 86_400_000, entriesARound = 2_000 } = watching;
  const all = new Map<string, Watched>();
  const begun = (): Watched => ({
    ...{ last: null, tree: growTree(), begunAt: clock.monotonic(), known: null },
    ...{ publishedAt: -publishEveryMs, published: 0, isBroken: false },
    ...{ toldAt: -stillMs, told: 0 },
  });
  const watchedOf = (tenant: string): Watched => {
    const known = all.get(tenant);
    const isOver = known !== undefined && clock.monotonic() - known.begunAt >= anewEveryMs;
    const { publishedAt, published } = known ?? begun();
    const watched = known === undefined || isOver ? { ...begun(), publishedAt, published } : known;
    all.set(tenant, watched);
    return watched;
  };
  const look = async (tenant: string, limit: number): Promise<number> => {
    const watched = watchedOf(tenant);
    if (watched.isBroken) return 0;
    const seen = await advance({ watching, tenant, watched, limit });
    if (!watched.isBroken) await tellProgress({ watching, tenant, watched, isAtEnd: seen < limit });
    const isDue = watched.tree.size() > watched.published && clock.monotonic() - watched.publishedAt >= publishEveryMs;
    if (watching.publish === null || watched.isBroken || !isDue) return seen;
    watched.publishedAt = clock.monotonic();
    await watching.publish({ tenant, size: watched.tree.size(), root: watched.tree.root() });
    watched.published = watched.tree.size();
    return seen;
  };
  return {
    round: async () => {
      const tenants = await database.tenants();
      // Each has its share, so that a large ledger does not keep the others waiting.
      const limit = Math.max(10, Math.floor(entriesARound / Math.max(1, tenants.length)));
      let seen = 0;
      for (const tenant of tenants) {
        try {
          seen += await look(tenant, limit);
        } catch (thrown) {
          watching.onError(thrown);
        }
      }
      return seen;
    },
  };
}

async function advance(one: { watching: Watching; tenant: string; watched: Watched; limit: number }): Promise<number> {
  const { watching, tenant, watched, limit } = one;
  watched.known ??= Map.groupBy(await watching.known(tenant), ({ size }) => size);
  const { last } = watched;
  // The last link is read again: one that is gone, or another one, shows that the end was cut off.
  const after = Math.max(0, (last?.seq ?? 0) - 1);
  const page = await watching.database.inTenant(tenant, (tx) => readLinks({ tx, tenant, after, limit: limit + 1 }));
  const [again, fresh] = last === null ? [null, page] : [page[0] ?? null, page.slice(1)];
  if (last !== null && (again === null || !linkHash(again.link).equals(linkHash(last)))) return broken(one, null);
  for (const linked of fresh) {
    if (!doesHold(watched.last, linked)) return broken(one, null);
    watched.tree.append(linked.link.entryHash);
    watched.last = linked.link;
    const size = watched.tree.size();
    if (watched.known.get(size)?.some(({ root }) => !root.equals(watched.tree.root())) === true) return broken(one, size);
  }
  return fresh.length;
}

async function tellProgress({
  watching: { clock, progress },
  tenant,
  watched,
  isAtEnd,
}: {
  watching: Watching;
  tenant: string;
  watched: Watched;
  isAtEnd: boolean;
}): Promise<void> {
  const now = clock.monotonic();
  const verifiedTo = watched.tree.size();
  if (progress === undefined || (verifiedTo === watched.told && now - watched.toldAt < stillMs)) return;
  await progress({ tenant, verifiedTo, begunMsAgo: now - watched.begunAt, isAtEnd });
  watched.toldAt = now;
  watched.told = verifiedTo;
}

function doesHold(last: Link | null, { link, entry }: LinkedEntry): boolean {
  const continued = last === null ? genesisHash : linkHash(last);
  if (link.seq !== (last?.seq ?? 0) + 1 || !link.prevHash.equals(continued) || entry === null) return false;
  return entry.hash.equals(link.entryHash) && checkEntry(entry, null) === null;
}

/** Something does not hold: the whole check names it. Where that finds nothing, a checkpoint was signed over something else. */
async function broken(
  { watching, tenant, watched }: { watching: Watching; tenant: string; watched: Watched },
  size: number | null,
): Promise<number> {
  watched.isBroken = true;
  const { database, headKeeper, restoredBy } = watching;
  const { broken: found } = await verifyLedger({
    ...{ database, tenant, headKeeper },
    ...(restoredBy === undefined ? {} : { restoredBy }),
  });
  const rewritten: Break = {
    ...{ seq: size, entryId: null, fault: "checkpoint_differs" },
    detail: `the entries up to ${size ?? watched.last?.seq ?? 0} are not those that were there before; they were rewritten`,
  };
  await watching.report(tenant, found ?? rewritten);
  return 0;
}
