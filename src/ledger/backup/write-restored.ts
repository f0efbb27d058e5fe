import { sql } from "kysely";
import type { EntryDraft } from "../../contract/entry.ts";
import type { ChainHead, Ids } from "../../contract/ports.ts";
import type { Database, Tx } from "../../store/database.ts";
import type { SigningKey } from "../../store/signature.ts";
import { databaseTime } from "../../store/time.ts";
import { linkHash } from "../chain.ts";
import { type BuiltEntry, buildEntry } from "../entries.ts";
import { wholeTenant } from "../halts.ts";
import { payloadKeys } from "../payload.ts";
import { growTree } from "../proofs/merkle.ts";
import { pooledRandom } from "../random.ts";
import { readLinks } from "../verify-pages.ts";
import { headIn, type SignedManifest } from "./manifest.ts";
import { type RestoredStatement, restoredFacts } from "./restored.ts";

/** What is known outside the database of the ledger that a backup takes the place of. */
export interface KeptOutside {
  readonly head: ChainHead | null;
  /** Checkpoints that were kept; `root` in hex. */
  readonly checkpoints: readonly { readonly size: number; readonly root: string }[];
}

/** What the entries of a restore are written with. */
export interface Restoring {
  readonly signed: SignedManifest;
  readonly payloadKey: Buffer;
  readonly key: SigningKey;
  readonly ids: Ids;
  /** Why, in the words of whoever restores; `null` where nothing was said. */
  readonly reason: string | null;
  readonly keptOutside: (tenant: string) => Promise<KeptOutside>;
}

/** Under which a restore stops a tenant; an owner lifts it. */
const restore = "restore";

/**
 * Writes a tenant's `restored` entry and stops it, for every tenant that is not closed.
 */
export async function writeRestored(tx: Tx, database: Database, restoring: Restoring): Promise<void> {
  const keys = payloadKeys(restoring.payloadKey, pooledRandom(), database);
  const ts = await databaseTime(tx);
  const { rows } = await sql<{ id: string }>`select id from countersign.tenant where state <> 'closed' order by id`.execute(tx);
  for (const { id: tenant } of rows) {
    await database.know(tenant);
    const [entryId, statement] = [restoring.ids.next(), await statementOf(tx, { restoring, tenant })];
    const { reason, key } = restoring;
    const draft: EntryDraft = {
      ...{ id: entryId, tenant, kind: "restored", ts, writer: "owner", decisionId: null, cause: null },
      ...{ facts: restoredFacts({ tenant, entryId }, statement, key), bodies: reason === null ? {} : { reason } },
    };
    await insertAsOwner(tx, buildEntry({ draft, keys, random: pooledRandom() }));
    await stopTenant(tx, { tenant, id: restoring.ids.next(), statement });
  }
}

async function statementOf(tx: Tx, { restoring, tenant }: { restoring: Restoring; tenant: string }): Promise<RestoredStatement> {
  const { manifest, digest } = restoring.signed;
  const head = headIn(manifest, tenant);
  const kept = await restoring.keptOutside(tenant);
  const isGivenUp = kept.head !== null && !(await isOnChain(tx, kept.head));
  const fits = await rootsOf(tx, { tenant, sizes: new Set(kept.checkpoints.map(({ size }) => size)) });
  return {
    backup: { madeAt: manifest.madeAt, digest },
    head: head === null ? null : { seq: head.seq, hash: head.hash },
    replaces: kept.head !== null && isGivenUp ? { seq: kept.head.seq, hash: kept.head.hash } : null,
    checkpoints: kept.checkpoints.filter(({ size, root }) => fits.get(size) !== root).map(({ size, root }) => ({ size, root })),
  };
}

async function isOnChain(tx: Tx, { tenant, seq, hash }: ChainHead): Promise<boolean> {
  const [found] = await readLinks({ tx, tenant, after: seq - 1, limit: 1 });
  return found !== undefined && found.link.seq === seq && linkHash(found.link).toString("hex") === hash;
}

/** The roots of the loaded ledger's tree at these sizes, in hex; none where it is shorter. */
async function rootsOf(
  tx: Tx,
  { tenant, sizes }: { tenant: string; sizes: ReadonlySet<number> },
): Promise<ReadonlyMap<number, string>> {
  const [tree, roots] = [growTree(), new Map<number, string>()];
  const last = Math.max(0, ...sizes);
  while (tree.size() < last) {
    const page = await readLinks({ tx, tenant, after: tree.size(), limit: 1_000 });
    for (const { link } of page) {
      tree.append(link.entryHash);
      if (sizes.has(tree.size())) roots.set(tree.size(), tree.root().toString("hex"));
    }
    if (page.length === 0) break;
  }
  return roots;
}

/** By the owner, who says so itself: the three roles may not write this kind of entry. */
async function insertAsOwner(tx: Tx, { id, bytes, hash, columns, payload }: BuiltEntry): Promise<void> {
  const { tenant, kind, ts, writer } = columns;
  await sql`
    insert into countersign.entry (tenant, id, kind, ts, writer, body, hash)
    values (${tenant}, ${id}, ${kind}, ${ts}, ${writer}, ${bytes}, ${Buffer.from(hash, "hex")})`.execute(tx);
  if (payload !== null)
    await sql`insert into countersign.payload (tenant, entry_id, body) values (${tenant}, ${id}, ${payload})`.execute(tx);
}

/** What was done after the backup is not known here, so nothing is sent before somebody has looked. */
async function stopTenant(
  tx: Tx,
  { tenant, id, statement }: { tenant: string; id: string; statement: RestoredStatement },
): Promise<void> {
  const madeAt = new Date(statement.backup.madeAt).toISOString();
  const reason = `restored from the backup of ${madeAt}: look at what was done after it before anything is sent`;
  await sql`
    insert into countersign.halt (tenant, id, scope, name, is_stopped, by_principal, reason)
    values (${tenant}, ${id}, 'tenant', ${wholeTenant}, true, ${restore}, ${reason})`.execute(tx);
}
