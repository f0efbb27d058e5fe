// Blocks of postings in the database. Writers of one tenant take turns, so what is read here is what is changed.
import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { Tx } from "../../store/database.ts";
import { type AddedBlock, addTo, type Block, blocksOf, mostOfBlock, type TermRecord, takeFrom } from "./posting-blocks.ts";

/** Rows that are written by one statement. */
const batchSize = 10_000;
/** Documents whose records are taken out at once. */
const documentsAtOnce = 20;

/**
 * Adds the records of documents that are newer than any other; of each term and audience in the order of their numbers. The last block
 * is filled up before others are begun. Throws `index_incomplete` where the database did not take each.
 */
export async function appendRecords(
  tx: Tx,
  { tenant, records }: { tenant: string; records: readonly TermRecord[] },
): Promise<void> {
  const blocks = blocksOf(records);
  for (let at = 0; at < blocks.length; at += batchSize) await append(tx, { tenant, blocks: blocks.slice(at, at + batchSize) });
}

async function append(tx: Tx, { tenant, blocks }: { tenant: string; blocks: readonly AddedBlock[] }): Promise<void> {
  const { rows } = await sql<{ blocks: number }>`
    with placed as materialized (
      select added.*, last.first_document as last from unnest(${blocks.map(({ term }) => term)}::text[],
        ${blocks.map(({ audience }) => audience)}::integer[], ${blocks.map(({ first }) => first)}::integer[],
        ${blocks.map(({ records }) => records)}::bytea[], ${blocks.map(({ isFirst }) => isFirst)}::boolean[]
      ) as added (term, audience, first, records, is_first)
      left join lateral (
        select first_document, octet_length(posting.records) as bytes from countersign.posting
        where tenant = ${tenant} and term = added.term and audience = added.audience order by first_document desc limit 1
      ) as last on added.is_first and last.bytes + octet_length(added.records) <= ${mostOfBlock}
    ), longer as (
      update countersign.posting set records = posting.records || placed.records from placed
      where posting.tenant = ${tenant} and posting.term = placed.term and posting.audience = placed.audience
        and posting.first_document = placed.last
      returning 1
    ), made as (
      insert into countersign.posting (tenant, term, audience, first_document, records)
      select ${tenant}, term, audience, first, records from placed where last is null returning 1
    )
    select ((select count(*) from longer) + (select count(*) from made))::integer as blocks`.execute(tx);
  if (rows[0]?.blocks !== blocks.length) throw incomplete("the database holds less of a document than was filed");
}

/**
 * Takes every record of these documents out and gives it back. Throws `index_incomplete` where one is missing of the terms that a document was
 * filed with.
 */
export async function takeRecords(
  tx: Tx,
  { tenant, documents }: { tenant: string; documents: readonly number[] },
): Promise<readonly TermRecord[]> {
  const taken: TermRecord[] = [];
  for (let at = 0; at < documents.length; at += documentsAtOnce) {
    const held = await readHolding(tx, { tenant, documents: documents.slice(at, at + documentsAtOnce) });
    const changes: Change[] = [];
    for (const { block, wanted } of held) {
      const found = block === null ? null : takeFrom(block, new Set(wanted));
      if (block === null || found?.taken.length !== wanted.length)
        throw incomplete("terms of a document are missing from the index");
      taken.push(...found.taken);
      changes.push({ block, instead: found.left === null ? [] : [found.left] });
    }
    await write(tx, { tenant, changes });
  }
  return taken;
}

/** Puts records of one document, one for a term, into blocks where they have their place; there may be newer documents in them. */
export async function placeRecords(
  tx: Tx,
  { tenant, records }: { tenant: string; records: readonly TermRecord[] },
): Promise<void> {
  const { rows } = await sql<{ at: number; first: number; records: Buffer }>`
    select added.at::integer as at, block.first_document as first, block.records from unnest(${records.map(({ term }) => term)}::text[],
      ${records.map(({ audience }) => audience)}::integer[], ${records.map(({ document }) => document)}::integer[]
    ) with ordinality as added (term, audience, document, at)
    cross join lateral (
      (select first_document, posting.records, 1 as place from countersign.posting
        where tenant = ${tenant} and term = added.term and audience = added.audience and first_document <= added.document
        order by first_document desc limit 1)
      union all
      (select first_document, posting.records, 2 from countersign.posting
        where tenant = ${tenant} and term = added.term and audience = added.audience and first_document > added.document
        order by first_document limit 1)
      order by place limit 1
    ) as block`.execute(tx);
  const blocks = new Map(rows.map(({ at, ...block }) => [at, block]));
  const changes = records.map((added, at): Change => {
    const found = blocks.get(at + 1);
    if (found === undefined) return { block: null, instead: blocksOf([added]) };
    const block = { term: added.term, audience: added.audience, ...found };
    return { block, instead: addTo(block, added) };
  });
  await write(tx, { tenant, changes });
}

interface Holding {
  readonly block: Block | null;
  /** Which documents have to be in it. */
  readonly wanted: readonly number[];
}

/** The blocks that hold these documents, by the terms that they were filed with. */
async function readHolding(
  tx: Tx,
  { tenant, documents }: { tenant: string; documents: readonly number[] },
): Promise<readonly Holding[]> {
  const { rows } = await sql<{ term: string; audience: number; first: number | null; wanted: number[]; records: Buffer | null }>`
    with held as materialized (
      select kept.term, document.audience, block.first_document, array_agg(document.number) as wanted
      from countersign.document cross join lateral unnest(document.terms) as kept (term)
      left join lateral (
        select first_document from countersign.posting
        where posting.tenant = ${tenant} and posting.term = kept.term and posting.audience = document.audience
          and first_document <= document.number order by first_document desc limit 1
      ) as block on true
      where document.tenant = ${tenant} and document.number = any (${[...documents]}::integer[])
      group by kept.term, document.audience, block.first_document
    )
    select held.term, held.audience, held.first_document as first, held.wanted, posting.records from held
    left join countersign.posting on posting.tenant = ${tenant} and posting.term = held.term and posting.audience = held.audience
      and posting.first_document = held.first_document`.execute(tx);
  return rows.map(({ first, records, wanted, ...key }) => ({
    block: first === null || records === null ? null : { ...key, first, records },
    wanted,
  }));
}

/** Blocks in the place of one that was read; `null` stands where there was none. */
interface Change {
  readonly block: Block | null;
  readonly instead: readonly Block[];
}

async function write(tx: Tx, { tenant, changes }: { tenant: string; changes: readonly Change[] }): Promise<void> {
  const isSame = ({ block, instead: [first] }: Change): boolean => block !== null && block.first === first?.first;
  const longer = changes.filter(isSame).flatMap(({ instead: [first] }) => first ?? []);
  const gone = changes.flatMap((change) => (isSame(change) ? [] : (change.block ?? [])));
  const made = changes.flatMap((change) => change.instead.slice(isSame(change) ? 1 : 0));
  for (let at = 0; at < gone.length; at += batchSize) await removeBlocks(tx, { tenant, blocks: gone.slice(at, at + batchSize) });
  for (let at = 0; at < longer.length; at += batchSize)
    await updateBlocks(tx, { tenant, blocks: longer.slice(at, at + batchSize) });
  for (let at = 0; at < made.length; at += batchSize) await insertBlocks(tx, { tenant, blocks: made.slice(at, at + batchSize) });
}

interface Blocks {
  readonly tenant: string;
  readonly blocks: readonly Block[];
}

async function removeBlocks(tx: Tx, { tenant, blocks }: Blocks): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from countersign.posting using ${columns(blocks)}
    where posting.tenant = ${tenant} and posting.term = block.term and posting.audience = block.audience
      and posting.first_document = block.first`.execute(tx);
  checkAll(numAffectedRows, blocks);
}

async function updateBlocks(tx: Tx, { tenant, blocks }: Blocks): Promise<void> {
  const { numAffectedRows } = await sql`
    update countersign.posting set records = block.records from ${columns(blocks)}
    where posting.tenant = ${tenant} and posting.term = block.term and posting.audience = block.audience
      and posting.first_document = block.first`.execute(tx);
  checkAll(numAffectedRows, blocks);
}

async function insertBlocks(tx: Tx, { tenant, blocks }: Blocks): Promise<void> {
  await sql`
    insert into countersign.posting (tenant, term, audience, first_document, records)
    select ${tenant}, term, audience, first, records from ${columns(blocks)}`.execute(tx);
}

function columns(blocks: readonly Block[]) {
  return sql`unnest(${blocks.map(({ term }) => term)}::text[], ${blocks.map(({ audience }) => audience)}::integer[],
      ${blocks.map(({ first }) => first)}::integer[], ${blocks.map(({ records }) => records)}::bytea[]
    ) as block (term, audience, first, records)`;
}

function checkAll(changed: bigint | undefined, blocks: readonly Block[]): void {
  if (Number(changed) !== blocks.length) throw incomplete("a part of the index was not there to be changed");
}

function incomplete(what: string): CountersignError {
  return new CountersignError("index_incomplete", `${what}; rebuild the index`);
}
