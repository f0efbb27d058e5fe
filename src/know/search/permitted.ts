import { sql } from "kysely";
import type { Need } from "../../contract/context.ts";
import type { Envelope } from "../../contract/principal.ts";
import type { Tx } from "../../store/database.ts";
import { countOwn } from "./posting-bytes.ts";
import { type ListedDocument, type Reach, recordsOfTerms } from "./read-records.ts";

/** One search as its legs are handed it, in a transaction of its own. */
export interface Asked {
  readonly tx: Tx;
  readonly need: Need & { readonly kind: "passages" };
  readonly envelope: Envelope;
}

/** What of the index the asker may see, and the need lets be searched. */
export interface Permitted extends Reach {
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
  const { rows: documents } = await sql<ListedDocument & { passages: number }>`
    select number, audience, passages from countersign.document
    where tenant = ${principal.tenant} and id = any (${[...list]}::text[]) and audience = any (${audiences}::integer[])`.execute(
    tx,
  );
  return { audiences, documents, passages: documents.reduce((sum, { passages }) => sum + passages, 0), mostOfTerm };
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
  const { audiences, documents } = permitted;
  if (documents !== null) return countListed(await recordsOfTerms(tx, { tenant: principal.tenant, permitted, terms }));
  const { rows } = await sql<{ term: string; passages: string }>`
    select term, sum(passages) as passages from countersign.audience_term
    where tenant = ${principal.tenant} and term = any (${[...terms]}::text[]) and audience = any (${[...audiences]}::integer[])
    group by term`.execute(tx);
  return new Map(rows.map(({ term, passages }) => [term, Number(passages)]));
}

function countListed(records: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, number> {
  return new Map(
    [...records].map(([term, bytes]): [string, number] => [term, countOwn(bytes)]).filter(([, passages]) => passages > 0),
  );
}
