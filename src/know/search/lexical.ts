import { sql } from "kysely";
import { isSearchable } from "./in-force.ts";
import type { Asked, Permitted } from "./permitted.ts";
import type { Question } from "./question.ts";
import { recordsOfTerms } from "./read-records.ts";
import { openScores, type ScoredPassage, type Scores } from "./score.ts";
import { type WeighedTerm, weigh } from "./weigh.ts";

/** What the words of the query found. */
export interface LexicalFound {
  /** Numbers of passages, best first. */
  readonly ranks: readonly string[];
  /** Terms that only ordered what others found. */
  readonly common: readonly string[];
}

/** What a ranking by words is asked. */
export interface LexicalAsked {
  readonly permitted: Permitted;
  readonly question: Question;
  /** In how many permitted passages each term finds; one that is left out finds in none. */
  readonly counts: ReadonlyMap<string, number>;
  readonly limit: number;
  readonly mostToFind: number;
}

/** Documents that it is asked of first whether they are searched; four times as many each time thereafter. */
const documentsAtFirst = 64;
/** Passages that are ordered at first; all of them where there are not enough searched ones among these. */
const orderedAtFirst = 500;
/** Passages of which a term says something in one block, about: what it costs to read a block is weighed against what it costs to find it. */
const passagesOfBlock = 50;

/**
 * Ranks the permitted passages by BM25: the score of the passage, plus those of its window and of its parent section, each by the
 * weight of its collection. A passage is found where it holds a word of the query, by its collection also where a heading above it does;
 * the most common words only order what rarer ones found. Rarity is counted over what the asker may see. No row is read of what the asker
 * may not see; whether a document is in force and fits the filters is asked in the order of the ranks, until there are enough.
 */
export async function rankByWords(asked: Asked, leg: LexicalAsked): Promise<LexicalFound> {
  const { permitted, question, counts, limit, mostToFind } = leg;
  if (permitted.audiences.length === 0 || question.terms.length === 0) return { ranks: [], common: [] };
  const { finding, ordering } = weigh({ terms: question.terms, counts, total: permitted.passages, mostToFind });
  const { tenant } = asked.envelope.principal;
  const scores = openScores();
  add(finding, await recordsOfTerms(asked.tx, { tenant, permitted, terms: termsOf(finding) }), scores.find);
  const searched = openSearched(asked);
  if (ordering.length > 0) await addOrdering(asked, { ...leg, ordering, scores, searched });
  const best = await bestSearched(searched, { scores, limit });
  return { ranks: await numbersOf(asked, best), common: termsOf(ordering) };
}

/**
 * Adds what common words say. Only those are looked at that may still come to be among the best: even with all that the common words
 * can add, the others stay behind the last one of the best by rarer words.
 */
async function addOrdering(
  asked: Asked,
  {
    permitted,
    counts,
    limit,
    ordering,
    scores,
    searched,
  }: LexicalAsked & { ordering: readonly WeighedTerm[]; scores: Scores; searched: Searched },
): Promise<void> {
  const mostToAdd = ordering.reduce((sum, { weight }) => sum + weight * permitted.mostOfTerm, 0);
  const ranked = scores.ranked();
  const sure = await firstSearched(searched, { ranked, limit });
  const bar = sure.length < limit ? 0 : (sure.at(-1)?.score ?? 0);
  const near = [...new Set(ranked.filter(({ score }) => score + mostToAdd >= bar).map(({ document }) => document))];
  const { tenant } = asked.envelope.principal;
  const isSpread = ({ term }: WeighedTerm) => near.length * passagesOfBlock < (counts.get(term) ?? 0);
  const spread = ordering.filter(isSpread);
  const dense = ordering.filter((term) => !isSpread(term));
  add(dense, await recordsOfTerms(asked.tx, { tenant, permitted, terms: termsOf(dense) }), scores.order);
  add(spread, await recordsOfTerms(asked.tx, { tenant, permitted, terms: termsOf(spread), near }), scores.order);
}

/** Few are ordered at first: nearly always there are enough searched ones among them. */
async function bestSearched(
  searched: Searched,
  { scores, limit }: { scores: Scores; limit: number },
): Promise<readonly ScoredPassage[]> {
  const first = scores.ranked(orderedAtFirst);
  const best = await firstSearched(searched, { ranked: first, limit });
  return best.length === limit || first.length < orderedAtFirst
    ? best
    : firstSearched(searched, { ranked: scores.ranked(), limit });
}

function add(
  terms: readonly WeighedTerm[],
  records: ReadonlyMap<string, Uint8Array>,
  addTerm: (records: Uint8Array, weight: number) => void,
): void {
  for (const { term, weight } of terms) {
    const own = records.get(term);
    if (own !== undefined) addTerm(own, weight);
  }
}

function termsOf(weighed: readonly WeighedTerm[]): readonly string[] {
  return weighed.map(({ term }) => term);
}

/** Which documents are in force and fit the filters, as far as it was asked. */
interface Searched {
  readonly known: ReadonlyMap<number, boolean>;
  readonly ask: (documents: readonly number[]) => Promise<void>;
}

function openSearched(asked: Asked): Searched {
  const known = new Map<number, boolean>();
  return {
    known,
    ask: async (documents) => {
      const { rows } = await sql<{ number: number }>`
        select number from countersign.document where number = any (${[...documents]}::integer[]) and ${isSearchable(asked)}`.execute(
        asked.tx,
      );
      const found = new Set(rows.map(({ number }) => number));
      for (const document of documents) known.set(document, found.has(document));
    },
  };
}

/** The best that are searched. No more is asked of the database than it takes to have enough. */
async function firstSearched(
  { known, ask }: Searched,
  { ranked, limit }: { ranked: readonly ScoredPassage[]; limit: number },
): Promise<readonly ScoredPassage[]> {
  const best: ScoredPassage[] = [];
  let atOnce = Math.max(documentsAtFirst, limit);
  for (const [at, passage] of ranked.entries()) {
    if (best.length === limit) break;
    if (!known.has(passage.document)) {
      await ask(unknownFrom({ ranked, at, known, most: atOnce }));
      atOnce *= 4;
    }
    if (known.get(passage.document) === true) best.push(passage);
  }
  return best;
}

function unknownFrom({
  ranked,
  at,
  known,
  most,
}: {
  ranked: readonly ScoredPassage[];
  at: number;
  known: ReadonlyMap<number, boolean>;
  most: number;
}): readonly number[] {
  const documents = new Set<number>();
  for (let next = at; next < ranked.length && documents.size < most; next += 1) {
    const document = ranked[next]?.document;
    if (document !== undefined && !known.has(document)) documents.add(document);
  }
  return [...documents];
}

async function numbersOf({ tx, envelope }: Asked, best: readonly ScoredPassage[]): Promise<readonly string[]> {
  if (best.length === 0) return [];
  const { rows } = await sql<{ number: string }>`
    select passage.number from unnest(${best.map(({ document }) => document)}::integer[], ${best.map(({ position }) => position)}::integer[])
      with ordinality as best (document, position, rank)
    join countersign.passage on passage.tenant = ${envelope.principal.tenant} and passage.document = best.document
      and passage.position = best.position order by rank`.execute(tx);
  return rows.map(({ number }) => number);
}
