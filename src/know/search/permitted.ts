import { type RawBuilder, sql } from "kysely";
import type { Need } from "../../contract/context.ts";
import type { Envelope } from "../../contract/principal.ts";
import type { Tx } from "../../store/database.ts";

/** One search as its legs are handed it, in a transaction of its own. */
export interface Asked {
  readonly tx: Tx;
  readonly need: Need & { readonly kind: "passages" };
  readonly envelope: Envelope;
}

/** What of the index the asker may see, and the need lets be searched. */
export interface Permitted {
  /** Audiences, by id. The labels of an audience never change: a document that gets others goes to another one. */
  readonly audiences: readonly number[];
  /** The account's own list, as numbers of documents; `null` where it has none. */
  readonly documents: readonly number[] | null;
  /** Passages of all of these. */
  readonly passages: number;
  /** The most that one term can say of a passage by the settings of the collections, before its rarity, in whole thousandths. */
  readonly mostOfTerm: number;
}

/**
 * Finds what the envelope permits of the index: the audiences that one of its labels opens, of the need's collection, and of the
 * account's list of documents where there is one.
 */
export async function permittedOf({ tx, need, envelope: { principal, scopes } }: Asked): Promise<Permitted> {
  const { collection, includeNotCurrent = false } = need;
  const { rows } = await sql<{ id: number; passages: string; most: number }>`
    select distinct audience.id, audience.passages, 1000 * (k1 + 1) * (1 + window_weight + section_weight) as most
    from countersign.audience_label as label
    join countersign.audience on audience.tenant = label.tenant and audience.id = label.audience
    join countersign.collection on collection.tenant = audience.tenant and collection.name = audience.collection
    where label.tenant = ${principal.tenant} and label.label = any (${[...scopes]}::text[]) and audience.passages > 0
      ${includeNotCurrent ? sql`` : sql`and audience.status = 'current'`}
      ${collection === undefined ? sql`` : sql`and audience.collection = ${collection}`}`.execute(tx);
  const audiences = rows.map(({ id }) => id);
  // Two more for what was rounded.
  const mostOfTerm = Math.ceil(Math.max(0, ...rows.map(({ most }) => most))) + 2;
  const list = principal.allow.documents;
  if (list === "all")
    return { audiences, documents: null, passages: rows.reduce((sum, { passages }) => sum + Number(passages), 0), mostOfTerm };
  const listed = await sql<{ number: number; passages: number }>`
    select number, passages from countersign.document
    where tenant = ${principal.tenant} and id = any (${[...list]}::text[]) and audience = any (${audiences}::integer[])`.execute(
    tx,
  );
  const documents = listed.rows.map(({ number }) => number);
  return { audiences, documents, passages: listed.rows.reduce((sum, row) => sum + row.passages, 0), mostOfTerm };
}

/**
 * Counts in how many of the permitted passages each term finds; a term that finds in none is left out. What it counts holds drafts
 * only where they are searched, and does hold documents that are not in force at the reference time: of their words an asker whose
 * label they have may learn that they are used somewhere.
 */
export async function countTerms(
  { tx, envelope: { principal } }: Asked,
  permitted: Permitted,
  terms: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await counting({ tenant: principal.tenant, permitted, terms }).execute(tx);
  return new Map(rows.map(({ term, passages }) => [term, Number(passages)]));
}

interface Counting {
  readonly tenant: string;
  readonly permitted: Permitted;
  readonly terms: readonly string[];
}

function counting({
  tenant,
  permitted: { audiences, documents },
  terms,
}: Counting): RawBuilder<{ term: string; passages: string }> {
  if (documents === null)
    return sql`
      select term, sum(passages) as passages from countersign.audience_term
      where tenant = ${tenant} and term = any (${[...terms]}::text[]) and audience = any (${[...audiences]}::integer[]) group by term`;
  return sql`
    select term, sum((select count(*) from unnest(entries) as entry where entry & 32768 <> 0)) as passages from countersign.posting
    where tenant = ${tenant} and term = any (${[...terms]}::text[]) and audience = any (${[...audiences]}::integer[])
      and document = any (${[...documents]}::integer[]) group by term`;
}
