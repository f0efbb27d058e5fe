import { sql } from "kysely";
import type { Database, Tx } from "../../store/database.ts";
import type { Break } from "../verify.ts";

/** How far a walk over a tenant's ledger has come. */
export interface CheckProgress {
  readonly tenant: string;
  /** Every entry up to here was as it was sealed. */
  readonly verifiedTo: number;
  /** How long ago the walk was begun at the first entry, in milliseconds. */
  readonly begunMsAgo: number;
  /** It has come to the end of what is sealed. */
  readonly isAtEnd: boolean;
}

/**
 * Keeps how far a walk has come; of several workers the one that came furthest stands. A whole walk that was begun after a break was found,
 * and finds none, takes its word back. Under the role `acting`.
 */
export async function keepProgress(
  database: Database,
  { tenant, verifiedTo, begunMsAgo, isAtEnd }: CheckProgress,
): Promise<void> {
  const isOver = sql`${isAtEnd} and ledger_check.broken_at < excluded.begun_at`;
  const cleared = (column: string) =>
    sql`${sql.ref(column)} = case when ${isOver} then null else ${sql.ref(`ledger_check.${column}`)} end`;
  await database.inTenant(tenant, (tx) =>
    sql`
      insert into ledger_check (tenant, verified_to, looked_at, begun_at)
      values (${tenant}, ${verifiedTo}, clock_timestamp(), clock_timestamp() - ${Math.round(begunMsAgo)} * interval '1 millisecond')
      on conflict (tenant) do update set
        verified_to = greatest(ledger_check.verified_to, excluded.verified_to), looked_at = excluded.looked_at,
        begun_at = case when excluded.verified_to >= ledger_check.verified_to then excluded.begun_at else ledger_check.begun_at end,
        ${sql.join(["broken_at", "broken_seq", "broken_entry", "broken_fault", "broken_detail"].map(cleared))}`.execute(tx),
  );
}

/** Keeps what was found to be wrong; the first word of one break stands. Under the role `acting`. */
export async function keepBreak(database: Database, { tenant, broken }: { tenant: string; broken: Break }): Promise<void> {
  const { seq, entryId, fault, detail } = broken;
  await database.inTenant(tenant, (tx) =>
    sql`
      insert into ledger_check (tenant, looked_at, broken_at, broken_seq, broken_entry, broken_fault, broken_detail)
      values (${tenant}, clock_timestamp(), clock_timestamp(), ${seq}, ${entryId}::uuid, ${fault}, ${detail.slice(0, 2_000)})
      on conflict (tenant) do update set looked_at = excluded.looked_at,
        broken_at = case when ledger_check.broken_fault = excluded.broken_fault
          and ledger_check.broken_seq is not distinct from excluded.broken_seq then ledger_check.broken_at else excluded.broken_at end,
        broken_seq = excluded.broken_seq, broken_entry = excluded.broken_entry,
        broken_fault = excluded.broken_fault, broken_detail = excluded.broken_detail`.execute(tx),
  );
}

/** A checkpoint that was signed and published. */
export interface SignedCheckpoint {
  readonly tenant: string;
  readonly size: number;
  readonly text: string;
  /** What checks its signature, as `<origin>+<id>+<key>`. */
  readonly noteKey: string;
  readonly witness: "none" | "taken" | "refused";
}

/** Keeps the newest checkpoint; one that covers less than what is kept changes nothing. Under the role `acting`. */
export async function keepSigned(database: Database, { tenant, size, text, noteKey, witness }: SignedCheckpoint): Promise<void> {
  await database.inTenant(tenant, (tx) =>
    sql`
      insert into ledger_check (tenant, checkpoint_size, checkpoint_at, checkpoint, checkpoint_key, witness)
      values (${tenant}, ${size}, clock_timestamp(), ${text}, ${noteKey}, ${witness})
      on conflict (tenant) do update set checkpoint_size = excluded.checkpoint_size, checkpoint_at = excluded.checkpoint_at,
        checkpoint = excluded.checkpoint, checkpoint_key = excluded.checkpoint_key, witness = excluded.witness
      where ledger_check.checkpoint_size is null or excluded.checkpoint_size >= ledger_check.checkpoint_size`.execute(tx),
  );
}

/** What is kept of the check of one tenant's ledger; times in milliseconds since the epoch. */
export interface KeptCheck {
  readonly verifiedTo: number;
  readonly lookedAt: number | null;
  readonly begunAt: number | null;
  readonly broken: (Pick<Break, "seq" | "entryId" | "detail"> & { readonly fault: string; readonly foundAt: number }) | null;
  readonly signed: (Omit<SignedCheckpoint, "tenant"> & { readonly at: number }) | null;
}

/** Reads it; `null` where no check was ever made. */
export async function readCheck(tx: Tx, tenant: string): Promise<KeptCheck | null> {
  const { rows } = await sql<CheckRow>`select * from ledger_check where tenant = ${tenant}`.execute(tx);
  const row = rows[0];
  if (row === undefined) return null;
  const { broken_at, broken_fault, checkpoint, checkpoint_at, checkpoint_key, witness } = row;
  const place = { seq: row.broken_seq === null ? null : Number(row.broken_seq), entryId: row.broken_entry };
  return {
    verifiedTo: Number(row.verified_to),
    lookedAt: row.looked_at?.getTime() ?? null,
    begunAt: row.begun_at?.getTime() ?? null,
    broken:
      broken_at === null || broken_fault === null
        ? null
        : { ...place, fault: broken_fault, detail: row.broken_detail ?? "", foundAt: broken_at.getTime() },
    signed:
      checkpoint === null || checkpoint_at === null || checkpoint_key === null || witness === null
        ? null
        : { size: Number(row.checkpoint_size), text: checkpoint, noteKey: checkpoint_key, witness, at: checkpoint_at.getTime() },
  };
}

interface CheckRow {
  readonly verified_to: string;
  readonly looked_at: Date | null;
  readonly begun_at: Date | null;
  readonly broken_at: Date | null;
  readonly broken_seq: string | null;
  readonly broken_entry: string | null;
  readonly broken_fault: string | null;
  readonly broken_detail: string | null;
  readonly checkpoint_size: string | null;
  readonly checkpoint_at: Date | null;
  readonly checkpoint: string | null;
  readonly checkpoint_key: string | null;
  readonly witness: SignedCheckpoint["witness"] | null;
}
