import { fuse } from "./fuse.ts";
import type { Asked, Permitted } from "./permitted.ts";
import type { Question } from "./question.ts";
import { recordsOfTerms } from "./read-records.ts";
import { openScores, type ScoredPassage, type Scores } from "./score.ts";
import { openSearched, type Searched } from "./searched.ts";
import { type WeighedTerm, weigh } from "./weigh.ts";

/** What the words of the query found. */
export interface LexicalFound {
  /** Places of passages, best first. */
  readonly ranks: readonly number[];
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
  /** Passages up to which words are read at once; the more common ones wait for what rarer ones found. */
  readonly readAtFirst: number;
}

/** Passages that are ordered at first; all of them where there are not enough searched ones among these. */
const orderedAtFirst = 200;
/** Passages that a part of a long query ranks at least. */
const leastOfPart = 20;
/** Passages of which a term says something in one block, about: what it costs to read a block is weighed against what it costs to find it. */
const passagesOfBlock = 50;

/**
 * Ranks the permitted passages by BM25: the score of the passage, plus those of its window and of its parent section, each by the
 * weight of its collection. A passage is found where it holds a word of the query, by its collection also where a heading above it does;
 * the most common words only order what rarer ones found. Rarity is counted over what the asker may see. No row is read of what the asker
 * may not see; whether a document is in force and fits the filters is asked in the order of the ranks, until there are enough. The parts of
 * a long query are ranked each by itself, and joined by rank.
 */
export async function rankByWords(asked: Asked, leg: LexicalAsked): Promise<LexicalFound> {
  const { permitted, question, limit } = leg;
  if (permitted.audiences.length === 0 || question.terms.length === 0) return { ranks: [], common: [] };
  const shared = { asked, leg, searched: openSearched(asked), records: new Map<string, Uint8Array>() };
  const most = question.parts.length === 1 ? limit : Math.max(leastOfPart, 2 * Math.ceil(limit / question.parts.length));
  const found: LexicalFound[] = [];
  for (const terms of question.parts) found.push(await rankPart({ ...shared, most, scores: openScores() }, terms));
  const ranks = fuse(found.map((part) => ({ weight: 1, ranks: part.ranks }))).slice(0, limit);
  return { ranks, common: [...new Set(found.flatMap(({ common }) => common))] };
}

async function rankPart(ranking: Ranking, terms: readonly string[]): Promise<LexicalFound> {
  const { permitted, counts, mostToFind, readAtFirst } = ranking.leg;
  const { finding, ordering } = weigh({ terms, counts, total: permitted.passages, mostToFind });
  const rarest = rarestOf(finding, { counts, readAtFirst });
  await read(ranking, rarest);
  for (const { term, weight } of rarest) ranking.scores.find(recordsOf(ranking.records, term), weight);
  await addCommon(ranking, { finding: finding.slice(rarest.length), ordering });
  const best = await bestSearched(ranking);
  return { ranks: best.map(({ place }) => place), common: ordering.map(({ term }) => term) };
}

/** The ranking of one part of a query while it goes on. What was read for one is there for the next. */
interface Ranking {
  readonly asked: Asked;
  readonly leg: LexicalAsked;
  readonly searched: Searched;
  /** What terms say of all permitted documents, as far as it was read. */
  readonly records: Map<string, Uint8Array>;
  readonly scores: Scores;
  /** How many passages of this part are ranked. */
  readonly most: number;
}

/** The rarest terms, and all of them where they say little altogether. */
function rarestOf(
  finding: readonly WeighedTerm[],
  { counts, readAtFirst }: Pick<LexicalAsked, "counts" | "readAtFirst">,
): readonly WeighedTerm[] {
  let passages = 0;
  const beyond = finding.findIndex(({ term }) => {
    const before = passages;
    passages += counts.get(term) ?? 0;
    return before > 0 && passages > readAtFirst;
  });
  return beyond === -1 ? finding : finding.slice(0, beyond);
}

/**
 * Adds what common words say. The most common ones are read of those documents alone that may still come to be among the best: where all
 * that these words can add does not reach the last one of the best so far, no document is that holds nothing rarer. Nothing is missed.
 */
async function addCommon(
  ranking: Ranking,
  { finding, ordering }: { finding: readonly WeighedTerm[]; ordering: readonly WeighedTerm[] },
): Promise<void> {
  if (finding.length + ordering.length === 0) return;
  const { scores } = ranking;
  const bar = await barOf(ranking);
  const behind = finding.slice(reachingOf(ranking, { finding, ordering, bar }));
  const reaching = finding.slice(0, finding.length - behind.length);
  const most = mostOf(ranking, [...behind, ...ordering]);
  const add = (records: ReadonlyMap<string, Uint8Array>, near: ReadonlySet<number>): void => {
    for (const { term, weight } of behind) scores.find(recordsOf(records, term), weight, near);
    for (const { term, weight } of ordering) scores.order(recordsOf(records, term), weight, near);
  };
  if (reaching.length === 0) {
    const near = scores.near(bar - most);
    return add(await readNear(ranking, { terms: [...behind, ...ordering], near }), near);
  }
  await read(ranking, [...finding, ...ordering]);
  for (const { term, weight } of reaching) scores.find(recordsOf(ranking.records, term), weight);
  if (behind.length + ordering.length > 0) add(ranking.records, scores.near((await barOf(ranking)) - most));
}

/** The score of the last one of the best so far; 0 where there are not enough. */
async function barOf({ most, scores, searched }: Ranking): Promise<number> {
  const best = await searched.best(scores.ranked(orderedAtFirst), most);
  return best.length < most ? 0 : (best.at(-1)?.score ?? 0);
}

/** How many of the terms, the rarest of them, have to be looked for everywhere: without them the others could reach the bar. */
function reachingOf(
  ranking: Ranking,
  { finding, ordering, bar }: { finding: readonly WeighedTerm[]; ordering: readonly WeighedTerm[]; bar: number },
): number {
  let reaching = finding.length;
  let most = mostOf(ranking, ordering);
  while (reaching > 0) {
    most += mostOf(ranking, finding.slice(reaching - 1, reaching));
    if (most >= bar) break;
    reaching -= 1;
  }
  return reaching;
}

/** The most that terms can say of a passage. */
function mostOf({ leg: { permitted } }: Ranking, terms: readonly WeighedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight * permitted.mostOfTerm, 0);
}

/** Reads what terms say, unless it was read before. */
async function read({ asked: { tx, envelope }, leg: { permitted }, records }: Ranking, terms: readonly WeighedTerm[]) {
  const missing = terms.flatMap(({ term }) => (records.has(term) ? [] : term));
  const found = await recordsOfTerms(tx, { tenant: envelope.principal.tenant, permitted, terms: missing });
  for (const term of missing) records.set(term, found.get(term) ?? nothing);
}

/** Reads of each term all, or, where that is less, only the blocks in which these documents stand. */
async function readNear(
  ranking: Ranking,
  { terms, near }: { terms: readonly WeighedTerm[]; near: ReadonlySet<number> },
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { asked, leg, records } = ranking;
  const { tenant } = asked.envelope.principal;
  const isSpread = (term: string) => !records.has(term) && near.size * passagesOfBlock < (leg.counts.get(term) ?? 0);
  const spread = terms.flatMap(({ term }) => (isSpread(term) ? term : []));
  await read(
    ranking,
    terms.filter(({ term }) => !spread.includes(term)),
  );
  if (spread.length === 0) return records;
  const around = await recordsOfTerms(asked.tx, { tenant, permitted: leg.permitted, terms: spread, near: [...near] });
  return new Map([...records, ...around]);
}

function recordsOf(records: ReadonlyMap<string, Uint8Array>, term: string): Uint8Array {
  return records.get(term) ?? nothing;
}

const nothing = new Uint8Array();

/** Few are ordered at first: nearly always there are enough searched ones among them. */
async function bestSearched({ scores, searched, most }: Ranking): Promise<readonly ScoredPassage[]> {
  const first = scores.ranked(orderedAtFirst);
  const best = await searched.best(first, most);
  return best.length === most || first.length < orderedAtFirst ? best : searched.best(scores.ranked(), most);
}
