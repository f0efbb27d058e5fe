import { sql } from "kysely";
import type { FiledPassage } from "../../contract/knowledge.ts";
import type { Tx } from "../../store/database.ts";
import { keepFiledAnew, settingsOf } from "./collections.ts";
import { indexDocument } from "./impacts.ts";
import { addPostings, type NumberedDocument } from "./postings.ts";

/** Documents that are indexed at once. */
const batchSize = 100;

/**
 * Makes all postings and counts of a tenant anew from its passages, and says of how many documents: after an index was damaged, and
 * where the settings of a collection, or the way in which terms are made, have changed. The caller keeps other writers out.
 */
export async function rebuildPostings(tx: Tx, { tenant }: { tenant: string }): Promise<number> {
  await sql`delete from countersign.posting where tenant = ${tenant}`.execute(tx);
  await sql`delete from countersign.audience_term where tenant = ${tenant}`.execute(tx);
  await sql`update countersign.audience set passages = 0 where tenant = ${tenant}`.execute(tx);
  let last = 0;
  let rebuilt = 0;
  for (;;) {
    const rows = await readDocuments(tx, { tenant, after: last });
    if (rows.length === 0) break;
    const documents: NumberedDocument[] = [];
    for (const row of rows) documents.push(await indexAgain(tx, { tenant, row }));
    await addPostings(tx, { tenant, documents });
    rebuilt += rows.length;
    last = rows.at(-1)?.number ?? last;
  }
  await keepFiledAnew(tx, tenant);
  return rebuilt;
}

interface Row {
  readonly number: number;
  readonly audience: number;
  readonly title: string;
  readonly collection: string;
  readonly passages: readonly FiledPassage[];
}

async function readDocuments(tx: Tx, { tenant, after }: { tenant: string; after: number }): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select number, audience, title, collection, (
      select json_agg(json_build_object('sectionPath', section_path, 'page', page, 'from', from_character, 'to', to_character,
        'text', body, 'contextLine', context_line) order by position)
      from countersign.passage where passage.tenant = document.tenant and passage.document = document.number
    ) as passages
    from countersign.document where tenant = ${tenant} and number > ${after} order by number limit ${batchSize}`.execute(tx);
  return rows;
}

async function indexAgain(tx: Tx, { tenant, row }: { tenant: string; row: Row }): Promise<NumberedDocument> {
  const { number, audience, title, collection, passages } = row;
  const index = indexDocument({ title, passages, settings: await settingsOf(tx, { tenant, name: collection }) });
  const terms = [...index.postings.keys()];
  await sql`
    update countersign.passage set section_number = row.section, term_count = row.length
    from unnest(${index.places.map(({ section }) => section)}::integer[], ${index.places.map(({ length }) => length)}::integer[])
      with ordinality as row (section, length, position)
    where tenant = ${tenant} and document = ${number} and passage.position = row.position
      and (section_number, term_count) <> (row.section, row.length)`.execute(tx);
  await sql`update countersign.document set terms = ${terms}::text[] where tenant = ${tenant} and number = ${number}`.execute(tx);
  return { number, audience, index };
}
