import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { Tx } from "../../store/database.ts";
import { changeCounts, type TermChange } from "./audiences.ts";
import type { IndexedDocument } from "./impacts.ts";

/** A document with its number and audience in the database, and its index. */
export interface NumberedDocument {
  readonly number: number;
  readonly audience: number;
  readonly index: IndexedDocument;
}

/** Adds the postings of documents and counts their terms; what the database holds afterwards is compared with what was given. */
export async function addPostings(
  tx: Tx,
  { tenant, documents }: { tenant: string; documents: readonly NumberedDocument[] },
): Promise<void> {
  for (const rows of batchesOf(documents)) await insertRows(tx, { tenant, rows });
  const terms = new Map<string, TermChange>();
  const passages = new Map<number, number>();
  for (const { audience, index } of documents) {
    passages.set(audience, (passages.get(audience) ?? 0) + index.places.length);
    for (const [term, count] of index.passagesOfTerm) {
      const key = `${audience} ${term}`;
      terms.set(key, { audience, term, passages: count + (terms.get(key)?.passages ?? 0) });
    }
  }
  await changeCounts(tx, { tenant, terms: [...terms.values()], passages });
  await compare(tx, { tenant, documents });
}

/** Takes the postings of documents away, by their numbers, and counts their terms down. */
export async function removePostings(tx: Tx, { tenant, numbers }: { tenant: string; numbers: readonly number[] }): Promise<void> {
  const { rows } = await sql<Moved>`
    delete from countersign.posting using countersign.document cross join lateral unnest(document.terms) as kept (term)
    where document.tenant = ${tenant} and document.number = any (${[...numbers]}::integer[])
      and posting.tenant = document.tenant and posting.term = kept.term and posting.audience = document.audience
      and posting.document = document.number
    returning document.number, document.audience, posting.term,
      (select count(*)::integer from unnest(posting.entries) as entry where entry & 32768 <> 0) as passages`.execute(tx);
  const counted = await countMoved(tx, { tenant, numbers, rows });
  await changeCounts(tx, {
    tenant,
    terms: counted.terms.map((change) => ({ ...change, passages: -change.passages })),
    passages: negative(counted.passages),
  });
}

/** Brings the postings of one document to another audience. The caller brings the document. */
export async function movePostings(
  tx: Tx,
  { tenant, number, audience }: { tenant: string; number: number; audience: number },
): Promise<void> {
  const { rows } = await sql<Moved>`
    update countersign.posting set audience = ${audience}
    from countersign.document cross join lateral unnest(document.terms) as kept (term)
    where document.tenant = ${tenant} and document.number = ${number}
      and posting.tenant = document.tenant and posting.term = kept.term and posting.audience = document.audience
      and posting.document = document.number
    returning document.number, document.audience, posting.term,
      (select count(*)::integer from unnest(posting.entries) as entry where entry & 32768 <> 0) as passages`.execute(tx);
  const counted = await countMoved(tx, { tenant, numbers: [number], rows });
  const there = counted.terms.map((change) => ({ ...change, audience }));
  const passages = [...counted.passages.values()].reduce((sum, count) => sum + count, 0);
  await changeCounts(tx, {
    tenant,
    terms: counted.terms.map((change) => ({ ...change, passages: -change.passages })),
    passages: negative(counted.passages),
  });
  await changeCounts(tx, { tenant, terms: there, passages: new Map([[audience, passages]]) });
}

interface Moved {
  readonly number: number;
  readonly audience: number;
  readonly term: string;
  readonly passages: number;
}

interface Counted {
  readonly terms: readonly TermChange[];
  readonly passages: ReadonlyMap<number, number>;
}

/** What was moved or removed, by audience and term. Throws where not every term of a document was there. */
async function countMoved(
  tx: Tx,
  { tenant, numbers, rows }: { tenant: string; numbers: readonly number[]; rows: readonly Moved[] },
): Promise<Counted> {
  const terms = new Map<string, TermChange>();
  const found = new Map<number, Set<string>>();
  for (const { number, audience, term, passages } of rows) {
    const key = `${audience} ${term}`;
    terms.set(key, { audience, term, passages: passages + (terms.get(key)?.passages ?? 0) });
    found.set(number, (found.get(number) ?? new Set()).add(term));
  }
  const kept = await sql<{ number: number; audience: number; passages: number; terms: number }>`
    select number, audience, passages, cardinality(terms) as terms from countersign.document
    where tenant = ${tenant} and number = any (${[...numbers]}::integer[])`.execute(tx);
  const passages = new Map<number, number>();
  for (const { number, audience, passages: own, terms: wanted } of kept.rows) {
    if ((found.get(number)?.size ?? 0) !== wanted) throw incomplete("terms of a document are missing from the index");
    passages.set(audience, (passages.get(audience) ?? 0) + own);
  }
  return { terms: [...terms.values()].filter((change) => change.passages > 0), passages };
}

function negative(counts: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  return new Map([...counts].map(([key, count]) => [key, -count]));
}

interface RowToAdd {
  readonly document: NumberedDocument;
  readonly row: IndexedDocument["rows"][number];
}

function* batchesOf(documents: readonly NumberedDocument[]): Generator<readonly RowToAdd[]> {
  let batch: RowToAdd[] = [];
  for (const document of documents)
    for (const row of document.index.rows) {
      batch.push({ document, row });
      if (batch.length < 10_000) continue;
      yield batch;
      batch = [];
    }
  if (batch.length > 0) yield batch;
}

async function insertRows(tx: Tx, { tenant, rows }: { tenant: string; rows: readonly RowToAdd[] }): Promise<void> {
  const column = <T>(of: (row: RowToAdd) => T) => rows.map(of);
  await sql`
    insert into countersign.posting (tenant, term, audience, document, part, entries)
    select ${tenant}, term, audience, document, part, entries::bigint[]
    from unnest(
      ${column(({ row }) => row.term)}::text[], ${column(({ document }) => document.audience)}::integer[],
      ${column(({ document }) => document.number)}::integer[], ${column(({ row }) => row.part)}::integer[],
      ${column(({ row }) => `{${row.entries.join(",")}}`)}::text[]
    ) as added (term, audience, document, part, entries)`.execute(tx);
}

/** Counts what stands in the database by the keys of each document: its terms, their entries, its passages by position. */
async function compare(tx: Tx, { tenant, documents }: { tenant: string; documents: readonly NumberedDocument[] }): Promise<void> {
  const { rows } = await sql<{ number: number; passages: number; terms: number; entries: number }>`
    select number, counted.terms, counted.entries,
      (select count(distinct position)::integer from countersign.passage
        where passage.tenant = document.tenant and passage.document = document.number and position between 1 and document.passages) as passages
    from countersign.document cross join lateral (
      select count(distinct kept.term)::integer as terms, sum(cardinality(entries))::integer as entries
      from unnest(document.terms) as kept (term) join countersign.posting on posting.tenant = document.tenant
        and posting.term = kept.term and posting.audience = document.audience and posting.document = document.number
    ) as counted
    where document.tenant = ${tenant} and document.number = any (${documents.map(({ number }) => number)}::integer[])`.execute(
    tx,
  );
  const counted = new Map(rows.map((row) => [row.number, row]));
  for (const { number, index } of documents) {
    const row = counted.get(number);
    const entries = index.rows.reduce((sum, one) => sum + one.entries.length, 0);
    const terms = new Set(index.rows.map(({ term }) => term)).size;
    if (row?.passages !== index.places.length || row.terms !== terms || (row.entries ?? 0) !== entries)
      throw incomplete("the database holds less of a document than was filed");
  }
}

function incomplete(what: string): CountersignError {
  return new CountersignError("index_incomplete", `${what}; rebuild the index`);
}
