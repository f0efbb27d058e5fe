import { sql } from "kysely";
import type { FolderSource } from "../../contract/document-source.ts";
import type { Tx } from "../../store/database.ts";
import type { FileFault } from "./faults.ts";
import type { DocumentKey } from "./library.ts";
import type { FileRow } from "./plan-run.ts";

/** One source of one tenant. */
export interface SourceKey {
  readonly tenant: string;
  readonly source: string;
}

/** How a run ended. Times in milliseconds since the epoch by the store's clock; `lagMs` is `null` where nothing was filed. */
export interface RunEnd {
  readonly startedAt: number;
  readonly isComplete: boolean;
  readonly detail: string | null;
  readonly lagMs: number | null;
  readonly lastChangeAt: number | null;
}

/** How far a run is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly path: string | null;
  readonly page?: number;
  readonly pages?: number;
}

/** Says that a run has begun; the source's row follows what the project says of it. Gives `false` for a tenant that is closed. */
export async function beginRun(tx: Tx, { tenant, source }: { tenant: string; source: FolderSource }): Promise<boolean> {
  const { name, collection, scopes, freshWithinMs } = source;
  const begun = await sql`insert into source (tenant, name, collections, scopes, promise_ms, state, last_started_at)
    select id, ${name}, array[${collection}]::text[], ${[...scopes]}::text[], ${freshWithinMs}::bigint, 'running', clock_timestamp()
    from tenant where id = ${tenant} and state <> 'closed'
    on conflict (tenant, name) do update set scopes = excluded.scopes,
      promise_ms = excluded.promise_ms, state = 'running', last_started_at = excluded.last_started_at,
      progress_done = 0, progress_total = null, progress_path = null, progress_page = null, progress_pages = null`.execute(tx);
  return begun.numAffectedRows === 1n;
}

/** Says whether a source was ever read for a tenant. */
export async function hasSource(tx: Tx, { tenant, source }: SourceKey): Promise<boolean> {
  const { rows } = await sql`select from source where tenant = ${tenant} and name = ${source}`.execute(tx);
  return rows.length > 0;
}

/** Keeps how far a run is. */
export async function tellProgress(
  tx: Tx,
  { tenant, source, done, total, path, page, pages }: SourceKey & Progress,
): Promise<void> {
  await sql`update source set progress_done = ${done}, progress_total = ${total}, progress_path = ${path},
    progress_page = ${page ?? null}, progress_pages = ${pages ?? null}
    where tenant = ${tenant} and name = ${source}`.execute(tx);
}

/** Keeps how a run ended, with counts of what is there. One that is not complete leaves the instant that the index is good for. */
export async function endRun(
  tx: Tx,
  { tenant, source, ...end }: SourceKey & RunEnd & { readonly collection: string },
): Promise<void> {
  const { isComplete, startedAt, detail, lagMs, lastChangeAt, collection } = end;
  await sql`update source set state = ${isComplete ? "complete" : "failed"}, detail = ${detail},
    last_complete_at = case when ${isComplete} then clock_timestamp() else last_complete_at end,
    fresh_as_of = case when ${isComplete} then to_timestamp(${startedAt}::float8 / 1000) else fresh_as_of end,
    collections = array(select ${collection}::text union
      select d.collection from document d where d.tenant = ${tenant} and d.source = ${source}),
    lag_ms = coalesce(${lagMs}::bigint, lag_ms),
    last_change_at = coalesce(to_timestamp(${lastChangeAt}::float8 / 1000), last_change_at),
    last_filed_at = case when ${lagMs}::bigint is null then last_filed_at else clock_timestamp() end,
    (files, documents, passages, faults) = (select count(*), count(document_id), coalesce(sum(passages), 0), count(fault)
      from source_file f where f.tenant = ${tenant} and f.source = ${source}),
    progress_done = null, progress_total = null, progress_path = null, progress_page = null, progress_pages = null
    where tenant = ${tenant} and name = ${source}`.execute(tx);
}

/** Takes the source's row, so that two who file into it take turns. */
export async function lockSource(tx: Tx, { tenant, source }: SourceKey): Promise<void> {
  await sql`select from source where tenant = ${tenant} and name = ${source} for update`.execute(tx);
}

/** What is remembered of a source's files, in the order of their paths. */
export async function readFileRows(tx: Tx, { tenant, source }: SourceKey): Promise<readonly FileRow[]> {
  const { rows } = await sql<Omit<FileRow, "document"> & { id: string | null; version: string | null }>`
    select path, content_hash as "contentHash", attributes_hash as "attributesHash", document_id as id, version, passages, fault, detail
    from source_file where tenant = ${tenant} and source = ${source} order by path collate "C"`.execute(tx);
  return rows.map(({ id, version, ...row }) => ({ ...row, document: id === null || version === null ? null : { id, version } }));
}

/** Keeps that a file was filed. */
export async function keepFiled(
  tx: Tx,
  {
    tenant,
    source,
    path,
    contentHash,
    attributesHash,
    document,
    passages,
    pages,
    dropped,
  }: SourceKey & {
    readonly path: string;
    readonly contentHash: string;
    readonly attributesHash: string;
    readonly document: DocumentKey;
    readonly passages: number;
    readonly pages: number | null;
    readonly dropped: Readonly<Record<string, number>>;
  },
): Promise<void> {
  await sql`insert into source_file
      (tenant, source, path, content_hash, attributes_hash, document_id, version, passages, pages, dropped, filed_at)
    values (${tenant}, ${source}, ${path}, ${contentHash}, ${attributesHash}, ${document.id}, ${document.version}, ${passages},
      ${pages}, ${JSON.stringify(dropped)}::jsonb, clock_timestamp())
    on conflict (tenant, source, path) do update set content_hash = excluded.content_hash,
      attributes_hash = excluded.attributes_hash, document_id = excluded.document_id, version = excluded.version,
      passages = excluded.passages, pages = excluded.pages, dropped = excluded.dropped, fault = null, detail = null,
      filed_at = excluded.filed_at, seen_at = clock_timestamp()`.execute(tx);
}

/** Keeps why a file is not filed; where the fault passes, what is filed of it stays remembered, and nothing of what the file is now. */
export async function keepFault(
  tx: Tx,
  {
    tenant,
    source,
    path,
    contentHash,
    attributesHash,
    fault,
    detail,
    isPassing,
  }: SourceKey & {
    readonly path: string;
    readonly contentHash: string | null;
    readonly attributesHash: string | null;
    readonly fault: FileFault;
    readonly detail: string;
    readonly isPassing: boolean;
  },
): Promise<void> {
  await sql`insert into source_file (tenant, source, path, content_hash, attributes_hash, fault, detail)
    values (${tenant}, ${source}, ${path}, ${isPassing ? null : contentHash}, ${isPassing ? null : attributesHash}, ${fault}, ${detail})
    on conflict (tenant, source, path) do update set fault = excluded.fault, detail = excluded.detail, seen_at = clock_timestamp(),
      content_hash = case when ${isPassing} then source_file.content_hash else excluded.content_hash end,
      attributes_hash = case when ${isPassing} then source_file.attributes_hash else excluded.attributes_hash end,
      document_id = case when ${isPassing} then source_file.document_id end,
      version = case when ${isPassing} then source_file.version end,
      passages = case when ${isPassing} then source_file.passages end,
      pages = case when ${isPassing} then source_file.pages end`.execute(tx);
}

/** Forgets files that are gone. */
export async function forgetFiles(tx: Tx, { tenant, source, paths }: SourceKey & { paths: readonly string[] }): Promise<void> {
  await sql`delete from source_file where tenant = ${tenant} and source = ${source} and path = any (${[...paths]}::text[])`.execute(
    tx,
  );
}

/** Makes the next run file these again, whatever it remembers of them. */
export async function distrustFiles(tx: Tx, { tenant, source, paths }: SourceKey & { paths: readonly string[] }): Promise<void> {
  await sql`update source_file set attributes_hash = null
    where tenant = ${tenant} and source = ${source} and path = any (${[...paths]}::text[])`.execute(tx);
}
