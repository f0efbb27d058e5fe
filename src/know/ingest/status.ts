import { sql } from "kysely";
import type { Tx } from "../../store/database.ts";

/** How a source of one tenant is. Ages and times in milliseconds. */
export interface SourceStatus {
  readonly source: string;
  readonly state: "new" | "running" | "complete" | "failed";
  readonly detail: string | null;
  readonly promiseMs: number;
  /** How old the instant is that the index is good for; `null` before the first complete run. */
  readonly behindMs: number | null;
  /** Older than promised: answers that would rest on it are refused. */
  readonly isBehind: boolean;
  readonly lastCompleteAt: string | null;
  /** From when a change was seen to when it was filed, of the last run with changes. */
  readonly lagMs: number | null;
  readonly files: number;
  readonly documents: number;
  readonly passages: number;
  readonly progress: {
    readonly done: number;
    readonly total: number;
    readonly path: string | null;
    readonly page: number | null;
    readonly pages: number | null;
  } | null;
  readonly faults: readonly { readonly path: string; readonly fault: string; readonly detail: string }[];
}

/** The vectors of a tenant's passages. */
export interface VectorStatus {
  /** By its name and version. */
  readonly embedder: string;
  readonly passages: number;
  /** Passages that have no vector by it yet: they are found by their words alone. */
  readonly missing: number;
  /** Why it gave none when it was last asked; `null` where it did. */
  readonly fault: string | null;
}

/** How the index of a tenant is. */
export interface IndexStatus {
  readonly sources: readonly SourceStatus[];
  /** Documents that were filed by hand. */
  readonly byHand: number;
  /** `null` where no embedder gives any. */
  readonly vectors: VectorStatus | null;
}

/** Reads how the sources of a tenant are, with the faults of their files; how many documents were filed by hand; and what has vectors. */
export async function readStatus(tx: Tx, { tenant }: { tenant: string }): Promise<IndexStatus> {
  const { rows } = await sql<Row>`
    select name as source, state, detail, promise_ms::float8 as "promiseMs", last_complete_at as "lastCompleteAt",
      (extract(epoch from clock_timestamp() - fresh_as_of) * 1000)::float8 as "behindMs",
      lag_ms::float8 as "lagMs", files, documents, passages, progress_done as done, progress_total as total, progress_path as path,
      progress_page as page, progress_pages as pages,
      (select coalesce(jsonb_agg(jsonb_build_object('path', path, 'fault', fault, 'detail', detail) order by path collate "C"), '[]')
        from source_file f where f.tenant = s.tenant and f.source = s.name and f.fault is not null) as faults
    from source s where tenant = ${tenant} order by name collate "C"`.execute(tx);
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from document where tenant = ${tenant} and source is null`.execute(tx);
  return { sources: rows.map(statusOf), byHand: counted.rows[0]?.count ?? 0, vectors: await readVectors(tx, tenant) };
}

async function readVectors(tx: Tx, tenant: string): Promise<VectorStatus | null> {
  const { rows } = await sql<VectorStatus>`
    select embedder, fault, (select count(*)::int from passage where passage.tenant = embedding.tenant) as passages,
      (select count(*)::int from passage where passage.tenant = embedding.tenant and not exists (
        select from passage_vector as kept where kept.tenant = passage.tenant and kept.embedder = embedding.embedder
          and kept.passage = passage.number)) as missing
    from embedding where tenant = ${tenant}`.execute(tx);
  return rows[0] ?? null;
}

type Row = Omit<SourceStatus, "isBehind" | "lastCompleteAt" | "progress"> & {
  readonly lastCompleteAt: Date | null;
  readonly done: number | null;
  readonly total: number | null;
  readonly path: string | null;
  readonly page: number | null;
  readonly pages: number | null;
};

function statusOf({ lastCompleteAt, behindMs, done, total, path, page, pages, ...row }: Row): SourceStatus {
  return {
    ...row,
    behindMs: behindMs === null ? null : Math.max(0, Math.round(behindMs)),
    isBehind: !(behindMs !== null && behindMs <= row.promiseMs),
    lastCompleteAt: lastCompleteAt?.toISOString() ?? null,
    progress: done === null || total === null ? null : { done, total, path, page, pages },
  };
}
