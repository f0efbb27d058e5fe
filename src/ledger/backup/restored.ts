import { hash } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { canonicalJson, type JsonObject } from "../../contract/json.ts";
import type { ChainHead } from "../../contract/ports.ts";
import type { Tx } from "../../store/database.ts";
import { type PublicKeys, type SigningKey, signedUnder, signText } from "../../store/signature.ts";

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const headForm = z.strictObject({ seq: z.int().positive(), hash: hex }).nullable();

const statementForm = z.strictObject({
  /** Which backup: when it was made, milliseconds since the epoch, and SHA-256 over its manifest. */
  backup: z.strictObject({ madeAt: z.int().nonnegative(), digest: hex }),
  /** Where the ledger of the backup ended. */
  head: headForm,
  /** The head that was kept of the ledger that the backup takes the place of, where it is given up. */
  replaces: headForm,
  /** The kept checkpoints that are given up with it: entries, and the root in hex. */
  checkpoints: z.array(z.strictObject({ size: z.int().positive(), root: hex })),
});

/** What a restore says of itself, under the ledger's key. */
export type RestoredStatement = z.infer<typeof statementForm>;

const factsForm = z.looseObject({
  restored: z.strictObject({ ...statementForm.shape, keyId: z.string(), signature: z.string() }),
});

/** A `restored` entry whose signature is good. */
export interface Restored extends RestoredStatement {
  readonly entryId: string;
  /** How long it has been sealed, in milliseconds by the store's clock; `null` where it is not yet. */
  readonly sealedMs: number | null;
}

interface Place {
  readonly tenant: string;
  readonly entryId: string;
}

/** The facts of a `restored` entry: the statement, signed for this entry of this tenant alone. */
export function restoredFacts({ tenant, entryId }: Place, statement: RestoredStatement, key: SigningKey): JsonObject {
  const signature = signText(key, signedTextOf({ tenant, entryId }, statement));
  return { restored: { ...statement, keyId: key.keyId, signature } };
}

/** A tenant's `restored` entries that one of the keys signed, the oldest first. Others are none: they prove nothing. */
export async function readRestored(tx: Tx, { tenant, keys }: { tenant: string; keys: PublicKeys }): Promise<readonly Restored[]> {
  const { rows } = await sql<{ id: string; body: string; hash: Buffer; sealed_ms: string | null }>`
    select entry.id, entry.body, entry.hash,
      (extract(epoch from clock_timestamp() - seal.sealed_at) * 1000)::bigint as sealed_ms
    from countersign.entry left join countersign.seal on seal.tenant = entry.tenant and seal.entry_id = entry.id
    where entry.tenant = ${tenant} and entry.decision_id is null and entry.kind = 'restored'
      and entry.kind not in ('decided', 'stopped')
    order by entry.xid, entry.n`.execute(tx);
  const isSigned = signedUnder(keys);
  return rows.flatMap((row) => {
    const facts = hash("sha256", row.body, "hex") === row.hash.toString("hex") ? factsForm.safeParse(JSON.parse(row.body)) : null;
    if (facts?.success !== true) return [];
    const { keyId, signature, ...statement } = facts.data.restored;
    if (!isSigned({ text: signedTextOf({ tenant, entryId: row.id }, statement), keyId, signature })) return [];
    return [{ ...statement, entryId: row.id, sealedMs: row.sealed_ms === null ? null : Number(row.sealed_ms) }];
  });
}

/** Says whether a restore gave up a ledger with this head. */
export function isReplaced(restored: readonly Restored[], kept: ChainHead): boolean {
  return restored.some((one) => replaces(one, kept));
}

/**
 * The head that a ledger must still have: the kept one, or after a restore that gave it up the head of the backup, until a new one was kept.
 * `null` where none is there that should be, `graceMs` after the restore was sealed.
 */
export function headToHold({
  kept,
  restored,
  tenant,
  graceMs,
}: {
  kept: ChainHead | null;
  restored: readonly Restored[];
  tenant: string;
  graceMs: number;
}): ChainHead | null {
  const one = kept === null ? restored.at(-1) : restored.findLast((each) => replaces(each, kept));
  if (one === undefined) return kept;
  if (one.head === null || (one.sealedMs !== null && one.sealedMs > graceMs)) return null;
  return { tenant, ...one.head };
}

function replaces({ replaces: given }: Restored, kept: ChainHead): boolean {
  return given !== null && given.seq === kept.seq && given.hash === kept.hash;
}

function signedTextOf({ tenant, entryId }: Place, statement: RestoredStatement): string {
  return `countersign restored v1\n${canonicalJson({ tenant, entryId, ...statement })}`;
}
