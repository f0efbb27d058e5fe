import { type RawBuilder, sql } from "kysely";
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
  /** The most that one term can say of a passage by all settings under which the collections were filed, before its rarity, in whole thousandths. */
  readonly mostOfTerm: number;
}

/** What the asker may see, and in how many of those passages each term of a question finds. */
export interface Reached {
  readonly permitted: Permitted;
  /** A term that finds in none is left out. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Finds what the envelope permits of the index: the audiences that one of its labels opens, of the need's collection, and of the
 * account's list of documents where there is one; and counts the terms there. What it counts holds drafts only where they are searched,
 * and does hold documents that are not in force at the reference time: of their words an asker whose label they have may learn that they
 * are used somewhere.
 */
export async function reachOf(asked: Asked, terms: readonly string[]): Promise<Reached> {
  const { documents: list } = asked.envelope.principal.allow;
  const { terms: counted, counts, ...seen } = await readSeen(asked, list === "all" ? terms : []);
  if (list === "all")
    return { permitted: { ...seen, documents: null }, counts: new Map(counted.map((term, at) => [term, counts[at] ?? 0])) };
  const documents = await readListed(asked, { audiences: seen.audiences, list });
  const permitted = { ...seen, documents, passages: documents.reduce((sum, { passages }) => sum + passages, 0) };
  return { permitted, counts: countListed(await recordsOfTerms(asked.tx, { ...tenantOf(asked), permitted, terms })) };
}

interface Seen extends Pick<Permitted, "audiences" | "passages" | "mostOfTerm"> {
  readonly terms: readonly string[];
  /** Of each of the terms. */
  readonly counts: readonly number[];
}

/** One statement for all of it: a search waits for each. */
async function readSeen({ tx, need, envelope: { principal, scopes } }: Asked, terms: readonly string[]): Promise<Seen> {
  const { collection, includeNotCurrent = false } = need;
  const { rows } = await sql<Seen>`
    with seen as materialized (
      select distinct audience.id, audience.passages, most_of_term as most
      from countersign.audience_label as label
      join countersign.audience on audience.tenant = label.tenant and audience.id = label.audience
      join countersign.collection on collection.tenant = audience.tenant and collection.name = audience.collection
      where label.tenant = ${principal.tenant} and label.label = any (${[...scopes]}::text[]) and audience.passages > 0
        ${includeNotCurrent ? sql`` : sql`and audience.status = 'current'`}
        ${collection === undefined ? sql`` : sql`and audience.collection = ${collection}`}
    ), counted as materialized (
      select term, sum(passages)::float8 as passages from countersign.audience_term
      where tenant = ${principal.tenant} and term = any (${[...terms]}::text[]) and audience = any (array(select id from seen))
      group by term
    )
    select array(select id from seen) as audiences, (select coalesce(sum(passages), 0)::float8 from seen) as passages,
      -- Two more for what was rounded.
      (select ceil(coalesce(max(most), 0)) + 2 from seen) as "mostOfTerm",
      array(select term from counted order by term) as terms, array(select passages from counted order by term) as counts`.execute(
    tx,
  );
  return rows[0] ?? { audiences: [], passages: 0, mostOfTerm: 0, terms: [], counts: [] };
}

async function readListed(
  asked: Asked,
  { audiences, list }: { audiences: readonly number[]; list: readonly string[] },
): Promise<readonly (ListedDocument & { readonly passages: number })[]> {
  const { rows } = await sql<ListedDocument & { passages: number }>`
    select number, audience, passages from countersign.document
    where tenant = ${tenantOf(asked).tenant} and id = any (${[...list]}::text[]) and audience = any (${[...audiences]}::integer[])`.execute(
    asked.tx,
  );
  return rows;
}

/** The condition on `document` that it is of what the envelope permits: its audience, and the account's list where there is one. */
export function isPermitted({ audiences, documents }: Reach): RawBuilder<boolean> {
  const listed =
    documents === null ? sql`` : sql`and document.number = any (${documents.map(({ number }) => number)}::integer[])`;
  return sql<boolean>`document.audience = any (${[...audiences]}::integer[]) ${listed}`;
}

function tenantOf({ envelope: { principal } }: Asked): { readonly tenant: string } {
  return { tenant: principal.tenant };
}

function countListed(records: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, number> {
  return new Map(
    [...records].map(([term, bytes]): [string, number] => [term, countOwn(bytes)]).filter(([, passages]) => passages > 0),
  );
}
