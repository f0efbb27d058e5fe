import { type RawBuilder, sql } from "kysely";
import { isSearchable } from "./in-force.ts";
import type { Asked, Permitted } from "./permitted.ts";
import type { Question } from "./question.ts";
import { type WeighedTerm, type WeighedTerms, weigh } from "./weigh.ts";

/** What the words of the query found. */
export interface LexicalFound {
  /** Numbers of passages, best first. */
  readonly ranks: readonly string[];
  /** Terms that only ordered what others found. */
  readonly common: readonly string[];
}

/**
 * Ranks the permitted passages by BM25: the score of the passage, plus those of its window and of its parent section, each by the
 * weight of its collection. A passage is found where it holds a word of the query, by its collection also where a heading above it does;
 * the most common words only order what rarer ones found. Rarity is counted over what the asker may see. No row is read of what the asker
 * may not see; whether a document is in force and fits the filters is asked in the order of the ranks, until there are enough.
 */
export async function rankByWords(
  asked: Asked,
  {
    permitted,
    question,
    counts,
    limit,
    mostToFind,
  }: Pick<Ranking, "permitted" | "limit"> & { question: Question; counts: ReadonlyMap<string, number>; mostToFind: number },
): Promise<LexicalFound> {
  if (permitted.audiences.length === 0 || question.terms.length === 0) return { ranks: [], common: [] };
  const weighed = weigh({ terms: question.terms, counts, total: permitted.passages, mostToFind });
  const { rows } = await ranking(asked, { permitted, weighed, limit }).execute(asked.tx);
  return { ranks: rows.map(({ number }) => number), common: weighed.ordering.map(({ term }) => term) };
}

interface Ranking {
  readonly permitted: Permitted;
  readonly weighed: WeighedTerms;
  readonly limit: number;
}

function ranking(asked: Asked, { permitted, weighed: { finding, ordering }, limit }: Ranking): RawBuilder<{ number: string }> {
  const { tenant } = asked.envelope.principal;
  const scored = ordering.length === 0 ? sql`select document, position, score from found` : sql`select * from reordered`;
  return sql`
    with hit as materialized (
      select posting.document, posting.entries, word.weight ${postingsOf(finding)}
      where posting.tenant = ${tenant} and ${isPermitted(permitted)}
    ), spot as materialized (${spots(sql`hit`)}
    ), found as materialized (
      select place.document, (place.spot >> 16)::integer as position, place.spot, place.score + section.score as score
      from spot as place join spot as section on section.document = place.document and section.spot = place.spot & 65535
      where place.is_own
    )
    ${ordering.length === 0 ? sql`` : sql`, ${reordering(asked, { permitted, ordering, limit })}`}
    select passage.number from (${firstOf(asked, { scored, limit })}) as first
    join countersign.passage on passage.tenant = ${tenant} and passage.document = first.document and passage.position = first.position
    order by first.score desc, first.document, first.position`;
}

/** The best that are searched. Sorted within and without: within so that no more are looked at than are wanted, without since a join keeps no order. */
function firstOf(asked: Asked, { scored, limit }: { scored: RawBuilder<unknown>; limit: number }): RawBuilder<unknown> {
  return sql`
      select best.document, best.position, best.score from (${scored} order by score desc, document, position offset 0) as best
      cross join lateral (
        select from countersign.document where document.number = best.document and ${isSearchable(asked)}
      ) as document
      order by best.score desc, best.document, best.position limit ${limit}`;
}

function postingsOf(terms: readonly WeighedTerm[]): RawBuilder<unknown> {
  const words = terms.map(({ term }) => term);
  const weights = terms.map(({ weight }) => weight);
  return sql`from unnest(${words}::text[], ${weights}::integer[]) as word (term, weight)
      join countersign.posting on posting.term = word.term`;
}

function isPermitted({ audiences, documents }: Permitted): RawBuilder<unknown> {
  const seen = sql`posting.audience = any (${[...audiences]}::integer[])`;
  return documents === null ? seen : sql`${seen} and posting.document = any (${[...documents]}::integer[])`;
}

/**
 * Sums up rows of postings by document and spot: a spot is a passage with its section, or a section alone. All whole numbers, so that
 * the order of adding changes nothing.
 */
function spots(from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
      select document, entry >> 16 as spot, sum(weight * (entry & 32767)::integer) as score, bool_or(entry & 32768 <> 0) as is_own
      from ${from} cross join unnest(entries) as entry group by document, entry >> 16`;
}

/**
 * Adds what common words say. Only those are looked at that may still come to be among the best: even with all that the common words
 * can add, the others stay behind the last one of the best by rarer words.
 */
function reordering(
  asked: Asked,
  { permitted, ordering, limit }: { permitted: Permitted; ordering: readonly WeighedTerm[]; limit: number },
): RawBuilder<unknown> {
  const { tenant } = asked.envelope.principal;
  const mostToAdd = ordering.reduce((sum, { weight }) => sum + weight * permitted.mostOfTerm, 0);
  return sql`
    bar as materialized (
      select min(score) as score, count(*) as passages from (
${firstOf(asked, { scored: sql`select document, position, score from found`, limit })}
      ) as sure
    ), near as materialized (
      select found.* from found cross join bar where bar.passages < ${limit} or found.score + ${mostToAdd}::bigint >= bar.score
    ), more as materialized (
      select posting.document, posting.entries, word.weight ${postingsOf(ordering)}
      where posting.tenant = ${tenant} and ${isPermitted(permitted)} and posting.document in (select document from near)
    ), added as materialized (${spots(sql`more`)}
    ), reordered as (
      select near.document, near.position, near.score + coalesce(place.score, 0) + coalesce(section.score, 0) as score
      from near
      left join added as place on place.document = near.document and place.spot = near.spot
      left join added as section on section.document = near.document and section.spot = near.spot & 65535
    )`;
}
