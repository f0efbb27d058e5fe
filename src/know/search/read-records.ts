import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../store/database.ts";

/** A document by its number, with its audience. */
export interface ListedDocument {
  readonly number: number;
  readonly audience: number;
}

/** What may be read of the index. */
export interface Reach {
  /** Audiences, by id. The labels of an audience never change: a document that gets others goes to another one. */
  readonly audiences: readonly number[];
  /** The account's own list, as far as there are such documents; `null` where it has none. */
  readonly documents: readonly ListedDocument[] | null;
}

/** What of the index is read for a search. */
export interface RecordsWanted {
  readonly tenant: string;
  readonly permitted: Reach;
  readonly terms: readonly string[];
  /** Only blocks in which these documents stand, by their numbers; others may come with them. All where it is left out. */
  readonly near?: readonly number[];
}

/**
 * Reads what terms say of permitted documents: records, one after another, by term. Where the account has a list of documents, records of
 * others do not leave the database.
 */
export async function recordsOfTerms(tx: Tx, wanted: RecordsWanted): Promise<ReadonlyMap<string, Uint8Array>> {
  if (wanted.terms.length === 0) return new Map();
  const { rows } = await reading(wanted).execute(tx);
  return new Map(rows.map(({ term, records }) => [term, records]));
}

function reading(wanted: RecordsWanted): RawBuilder<{ term: string; records: Buffer }> {
  const { permitted, near } = wanted;
  if (permitted.documents !== null) return listed(wanted, permitted.documents);
  return near === undefined ? whole(wanted) : around(wanted, near);
}

function whole({ tenant, permitted: { audiences }, terms }: RecordsWanted): RawBuilder<{ term: string; records: Buffer }> {
  return sql`
    select term, string_agg(records, ''::bytea) as records from countersign.posting
    where tenant = ${tenant} and term = any (${[...terms]}::text[]) and audience = any (${[...audiences]}::integer[]) group by term`;
}

function listed(
  { tenant, terms }: RecordsWanted,
  documents: readonly ListedDocument[],
): RawBuilder<{ term: string; records: Buffer }> {
  const numbers = documents.map(({ number }) => number);
  const places = sql`unnest(${numbers}::integer[], ${documents.map(({ audience }) => audience)}::integer[]) as place (document, audience)`;
  return holding({ tenant, terms, places, records: sql`countersign.records_of(posting.records, ${numbers}::integer[])` });
}

function around(
  { tenant, permitted: { audiences }, terms }: RecordsWanted,
  near: readonly number[],
): RawBuilder<{ term: string; records: Buffer }> {
  const places = sql`(
      select number as document, audience from countersign.document
      where tenant = ${tenant} and number = any (${[...near]}::integer[]) and audience = any (${[...audiences]}::integer[])
    ) as place`;
  return holding({ tenant, terms, places, records: sql`posting.records` });
}

interface Holding {
  readonly tenant: string;
  readonly terms: readonly string[];
  /** Documents with their audiences. */
  readonly places: RawBuilder<unknown>;
  readonly records: RawBuilder<unknown>;
}

/** Blocks in which documents have their place, each once. */
function holding({ tenant, terms, places, records }: Holding): RawBuilder<{ term: string; records: Buffer }> {
  return sql`
    with held as materialized (
      select distinct word.term, place.audience, block.first_document
      from ${places} cross join unnest(${[...terms]}::text[]) as word (term)
      cross join lateral (
        select first_document from countersign.posting
        where posting.tenant = ${tenant} and posting.term = word.term and posting.audience = place.audience
          and first_document <= place.document order by first_document desc limit 1
      ) as block
    )
    select held.term, string_agg(${records}, ''::bytea) as records from held
    join countersign.posting on posting.tenant = ${tenant} and posting.term = held.term and posting.audience = held.audience
      and posting.first_document = held.first_document
    group by held.term`;
}
