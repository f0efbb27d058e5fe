// Finds passages. Permission, tenant, status, time and filters are part of the query; nothing that the envelope does not permit may ever
// be read, counted or ranked. Deciding half only: the hands have no path to this folder.
import { sql } from "kysely";
import type { Need } from "../../contract/context.ts";
import { CountersignError } from "../../contract/errors.ts";
import type { FoundPassages, LegActivity, Passage, PassageReference } from "../../contract/found-passages.ts";
import { isKeepableText } from "../../contract/json.ts";
import { sectionTitle } from "../../contract/knowledge.ts";
import { limits } from "../../contract/limits.ts";
import type { Clock } from "../../contract/ports.ts";
import type { Envelope } from "../../contract/principal.ts";
import { evidenceOf } from "./evidence.ts";
import { fuse } from "./fuse.ts";
import { rankByWords } from "./lexical.ts";
import { type Asked, type Permitted, reachOf } from "./permitted.ts";
import { documentAt, placeOf, positionAt } from "./place.ts";
import { type Question, questionOf } from "./question.ts";
import { rarity } from "./weigh.ts";

const maxPassages = 100;
/** How many candidates each leg hands on; more only where more passages are asked for. */
const candidatesOfLeg = 20;

/** One way of searching: what it ranks is what `permitted` holds and the need lets be searched, and nothing else. */
export interface Leg {
  readonly name: string;
  /** How much its ranks count beside those of the other legs; 0 switches it off. */
  readonly weight: number;
  readonly rank: (asked: Asked, leg: LegAsked) => Promise<LegFound>;
}

/** What a leg is asked, besides the search itself. */
export interface LegAsked {
  readonly permitted: Permitted;
  readonly question: Question;
  /** In how many permitted passages each term of the question finds; one that is left out finds in none. */
  readonly counts: ReadonlyMap<string, number>;
  readonly limit: number;
}

/** What a leg found: places of passages, best first, and the words that were too common to find by. */
export interface LegFound {
  readonly ranks: readonly number[];
  readonly common: readonly string[];
}

/**
 * The leg that searches by words. They find passages, rarest first, as long as they occur in no more than `mostToFind` of those that the
 * asker may see; the rest only order what was found, so that a search costs the same however much there is. Words that occur in more than
 * `readAtFirst` are read after the rarer ones, as far as they may still change what is best.
 */
export function wordsLeg({
  weight = 1,
  mostToFind = 40_000,
  readAtFirst = 3_000,
}: {
  weight?: number;
  mostToFind?: number;
  readAtFirst?: number;
} = {}): Leg {
  return { name: "lexical", weight, rank: (asked, leg) => rankByWords(asked, { ...leg, mostToFind, readAtFirst }) };
}

/** Throws where a source of what was found is behind by more than it promises. */
export type FreshnessCheck = (asked: Asked, sources: readonly string[]) => Promise<void>;

/**
 * Finds the passages that answer to the query, that the envelope's scopes and allow-lists permit and whose document is in force at its
 * reference time: the best first, at most `need.limit`. The order comes from the legs, joined by rank; `score` is evidence, as
 * `evidenceOf` measures it, and nothing is cut at `need.minimumScore`: who asks compares, and may show how near the best came.
 * Throws `reference_time_missing`, `forbidden` (no scopes given), `bad_text`, `too_large` or `definition_invalid` (the limit, a filter).
 */
export async function searchPassages(
  asked: Asked,
  { legs, clock, checkFreshness }: { legs: readonly Leg[]; clock: Clock; checkFreshness: FreshnessCheck | null },
): Promise<FoundPassages> {
  const started = clock.monotonic();
  const { need, envelope } = asked;
  checkNeed(need);
  checkEnvelope(envelope);
  const question = questionOf(need.query);
  const accessCheckedAt = clock.now();
  const { permitted, counts } = await reachOf(asked, question.terms);
  const found = await inTurn(legs, (leg) =>
    leg.rank(asked, { permitted, question, counts, limit: Math.max(candidatesOfLeg, need.limit) }),
  );
  const order = fuse(legs.map(({ weight }, at) => ({ weight, ranks: found[at]?.ranks ?? [] })));
  const rows = await readRows(asked, { permitted, places: order });
  const shown = rows.slice(0, need.limit);
  if (checkFreshness !== null) await checkFreshness(asked, [...new Set(shown.flatMap(({ source }) => source ?? []))]);
  const idOf = new Map(rows.map((row) => [placeOf(row.number, row.position), idOfRow(row)]));
  return {
    content: shown.map((row) => passageOf(row, { need, question, counts, total: permitted.passages })),
    references: shown.map((row) => referenceOf(row, accessCheckedAt)),
    activity: {
      filters: filtersOf(asked),
      legs: legs.map((leg, at) => activityOf(leg, { ranks: found[at]?.ranks ?? [], idOf })),
      dropped: rows.slice(need.limit).map((row) => ({ id: idOfRow(row), why: "beyond_limit" })),
      commonWords: [...new Set(found.flatMap(({ common }) => common))],
      wordsLeftOut: question.leftOut,
      ms: clock.monotonic() - started,
    },
  };
}

/** One after another: they share a connection. A leg that is switched off is not asked. */
async function inTurn(legs: readonly Leg[], ask: (leg: Leg) => Promise<LegFound>): Promise<readonly LegFound[]> {
  const found: LegFound[] = [];
  for (const leg of legs) found.push(leg.weight > 0 ? await ask(leg) : { ranks: [], common: [] });
  return found;
}

interface Row {
  /** Of the document. */
  readonly number: number;
  readonly document: string;
  readonly title: string;
  readonly version: string;
  readonly source: string | null;
  readonly position: number;
  readonly section_path: readonly string[];
  readonly page: number | null;
  readonly from_character: number;
  readonly to_character: number;
  readonly context_line: string;
  readonly body: string;
  readonly indexed_at: Date;
  readonly k1: number;
  readonly b: number;
  readonly passage_terms: number;
  readonly is_authority: boolean;
  readonly is_current: boolean;
}

async function readRows(
  { tx, envelope }: Asked,
  { permitted, places }: { permitted: Permitted; places: readonly number[] },
): Promise<readonly Row[]> {
  if (places.length === 0) return [];
  const instant = sql`to_timestamp(${envelope.at}::float8 / 1000)`;
  const { rows } = await sql<Row>`
    select document.number, document.id as document, document.title, document.version, document.source, passage.position,
      passage.section_path, passage.page, passage.from_character, passage.to_character, passage.context_line, passage.body,
      document.indexed_at, collection.k1, collection.b, collection.passage_terms, document.is_authority, document.status = 'current' and document.valid_from <= ${instant}
        and (document.valid_to is null or document.valid_to > ${instant}) as is_current
    from unnest(${places.map(documentAt)}::integer[], ${places.map(positionAt)}::integer[]) with ordinality as wanted (document, position, rank)
    join countersign.passage on passage.tenant = ${envelope.principal.tenant} and passage.document = wanted.document
      and passage.position = wanted.position
    join countersign.document on document.tenant = passage.tenant and document.number = passage.document
    join countersign.collection on collection.tenant = document.tenant and collection.name = document.collection
    where document.audience = any (${[...permitted.audiences]}::integer[]) order by wanted.rank`.execute(tx);
  return rows;
}

function idOfRow({ document, version, position }: Row): string {
  return `passage:${document}:${version}:${position}`;
}

interface Evidencing {
  readonly need: Need;
  readonly question: Question;
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function passageOf(row: Row, { need, question, counts, total }: Evidencing): Passage {
  const { document, title, version, section_path: path, page, body: text } = row;
  const score = evidenceOf(question, {
    text: `${path.join("\n")}\n${row.context_line}\n${text}`,
    settings: { k1: row.k1, b: row.b, passageTerms: row.passage_terms },
    rarityOf: (term) => rarity(counts.get(term) ?? 0, total),
    rarityOfUnseen: rarity(0, total),
  });
  const passage = { kind: "passage" as const, id: idOfRow(row), need: need.name, document, title, version };
  const marks = {
    ...(row.is_authority ? { isAuthority: true as const } : {}),
    ...(row.is_current ? {} : { isCurrent: false as const }),
  };
  return Object.freeze({ ...passage, section: sectionTitle(path), text, score, ...(page === null ? {} : { page }), ...marks });
}

function referenceOf(row: Row, accessCheckedAt: number): PassageReference {
  const { document, version, section_path: path, page, from_character: from, to_character: to } = row;
  const place = { document, version, section: sectionTitle(path), page, characters: { from, to } };
  const { is_authority: isAuthority, is_current: isCurrent } = row;
  return Object.freeze({
    id: idOfRow(row),
    ...place,
    isAuthority,
    isCurrent,
    accessCheckedAt,
    indexedAt: row.indexed_at.getTime(),
  });
}

function activityOf(
  { name, weight }: Leg,
  { ranks, idOf }: { ranks: readonly number[]; idOf: ReadonlyMap<number, string> },
): LegActivity {
  return { name, weight, ranks: ranks.flatMap((place) => idOf.get(place) ?? []) };
}

function filtersOf({ need: { collection, metadata = {}, includeNotCurrent = false }, envelope: { at } }: Asked) {
  return { collection: collection ?? null, metadata, at, includesNotCurrent: includeNotCurrent };
}

function checkNeed({ name, query, limit, collection = "", metadata = {} }: Asked["need"]): void {
  if (![query, collection, ...Object.entries(metadata).flat()].every((text) => typeof text === "string" && isKeepableText(text)))
    throw new CountersignError("bad_text", "the query or a filter holds NUL or a lone surrogate; send plain text");
  if (query.length > limits.requestText)
    throw new CountersignError("too_large", `the query is longer than ${limits.requestText} characters; ask in fewer words`);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxPassages)
    throw new CountersignError("definition_invalid", `need \`${name}\` may ask for 1 to ${maxPassages} passages`);
}

function checkEnvelope({ at, scopes }: Envelope): void {
  // Beyond this a `Date` does not reach, and neither does a clock.
  if (typeof at !== "number" || !(Math.abs(at) <= 8.64e15))
    throw new CountersignError(
      "reference_time_missing",
      "a search needs the reference time of the request, in milliseconds since the epoch",
    );
  // An empty list is nothing; a missing one is an error.
  if (!Array.isArray(scopes)) throw new CountersignError("forbidden", "a search needs the labels that the principal may see");
}
