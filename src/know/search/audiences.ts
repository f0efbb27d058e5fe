import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { DocumentStatus } from "../../contract/knowledge.ts";
import type { Tx } from "../../store/database.ts";

/** By what documents stand together: whoever may see one of an audience may see all of it. */
export interface AudienceKey {
  readonly tenant: string;
  readonly collection: string;
  readonly status: DocumentStatus;
  readonly scopes: readonly string[];
}

/** How many passages more, or fewer, of an audience hold a term. */
export interface TermChange {
  readonly audience: number;
  readonly term: string;
  readonly passages: number;
}

/** The id of an audience, which is made where there is none. The order of labels and their repetition make no other one. */
export async function audienceOf(tx: Tx, { tenant, collection, status, scopes }: AudienceKey): Promise<number> {
  const labels = [...new Set(scopes)].sort();
  await sql`
    with made as (
      insert into countersign.audience (tenant, collection, status, labels) values (${tenant}, ${collection}, ${status}, ${labels}::text[])
      on conflict do nothing returning id
    )
    insert into countersign.audience_label (tenant, label, audience)
    select ${tenant}, label, made.id from made cross join unnest(${labels}::text[]) as label`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    select id from countersign.audience
    where tenant = ${tenant} and collection = ${collection} and status = ${status} and labels = ${labels}::text[]`.execute(tx);
  if (rows[0] === undefined)
    throw new CountersignError("index_incomplete", "an audience was made and is not there; file the document again");
  return rows[0].id;
}

/** Counts passages and terms of audiences up or down. Throws `index_incomplete` where less is counted than is taken away. */
export async function changeCounts(
  tx: Tx,
  { tenant, terms, passages }: { tenant: string; terms: readonly TermChange[]; passages: ReadonlyMap<number, number> },
): Promise<void> {
  const more = terms.filter((change) => change.passages > 0);
  const fewer = terms.filter((change) => change.passages < 0).map((change) => ({ ...change, passages: -change.passages }));
  for (const batch of batches(more)) await addTerms(tx, { tenant, ...columnsOf(batch) });
  for (const batch of batches(fewer)) await takeTerms(tx, { tenant, ...columnsOf(batch) });
  for (const [audience, change] of passages)
    await sql`update countersign.audience set passages = passages + ${change} where tenant = ${tenant} and id = ${audience}`.execute(
      tx,
    );
}

interface Columns {
  readonly audiences: number[];
  readonly words: string[];
  readonly counts: number[];
}

function* batches<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += 10_000) yield rows.slice(at, at + 10_000);
}

function columnsOf(changes: readonly TermChange[]): Columns {
  return {
    audiences: changes.map(({ audience }) => audience),
    words: changes.map(({ term }) => term),
    counts: changes.map(({ passages }) => passages),
  };
}

async function addTerms(tx: Tx, { tenant, audiences, words, counts }: Columns & { tenant: string }): Promise<void> {
  await sql`
    insert into countersign.audience_term as kept (tenant, term, audience, passages)
    select ${tenant}, term, audience, passages from unnest(${words}::text[], ${audiences}::integer[], ${counts}::bigint[]) as added (term, audience, passages)
    on conflict (tenant, term, audience) do update set passages = kept.passages + excluded.passages`.execute(tx);
}

async function takeTerms(tx: Tx, { tenant, audiences, words, counts }: Columns & { tenant: string }): Promise<void> {
  const { rows } = await sql<{ changed: string }>`
    with taken (term, audience, passages) as materialized (
      select * from unnest(${words}::text[], ${audiences}::integer[], ${counts}::bigint[])
    ), gone as (
      delete from countersign.audience_term as kept using taken
      where kept.tenant = ${tenant} and kept.term = taken.term and kept.audience = taken.audience and kept.passages = taken.passages
      returning 1
    ), left_over as (
      update countersign.audience_term as kept set passages = kept.passages - taken.passages from taken
      where kept.tenant = ${tenant} and kept.term = taken.term and kept.audience = taken.audience and kept.passages > taken.passages
      returning 1
    )
    select (select count(*) from gone) + (select count(*) from left_over) as changed`.execute(tx);
  if (Number(rows[0]?.changed) === words.length) return;
  throw new CountersignError("index_incomplete", "terms of a document are not counted in its audience; rebuild the index");
}
