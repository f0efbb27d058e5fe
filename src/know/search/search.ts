// Finds passages with PostgreSQL's own text search. Permission, tenant, status and time are part of the query; nothing that the
// envelope does not permit may ever be read, counted or ranked. Deciding half only: the hands have no path to this folder.
import { sql } from "kysely";
import type { Need, Passage } from "../../contract/context.ts";
import { CountersignError } from "../../contract/errors.ts";
import { isKeepableText } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import type { Envelope } from "../../contract/principal.ts";
import type { Tx } from "../../store/database.ts";

/** Words of a query that count, first ones first; a longer query is searched by these. */
const maxTerms = 256;
const maxPassages = 100;

/**
 * Finds the passages that share words with the query, that the envelope's scopes and allow-lists permit and whose document is in force at its
 * reference time: the best first, at most `need.limit`. The score is from 0 to below 1: the share of the query's distinct content
 * words (stemmed, stop words dropped) that occur in the passage or its section's title, plus at most 0.001 by `ts_rank`, which only
 * orders equals. So a bar of 0.5 asks for half of the words, and 1 is never reached. Nothing is cut at `need.minimumScore`: who asks
 * compares, and may show how near the best came.
 * Throws `reference_time_missing`, `forbidden` (no scopes given), `bad_text`, `too_large` or `definition_invalid` (the limit).
 */
export async function searchPassages({
  tx,
  need,
  envelope,
}: {
  tx: Tx;
  need: Need & { kind: "passages" };
  envelope: Envelope;
}): Promise<readonly Passage[]> {
  checkNeed(need);
  checkEnvelope(envelope);
  const found = await query({ need, envelope }).execute(tx);
  return found.rows.map(({ position, ...row }) =>
    Object.freeze({ kind: "passage", id: `passage:${row.document}:${row.version}:${position}`, need: need.name, ...row }),
  );
}

type Row = Omit<Passage, "kind" | "id" | "need"> & { readonly position: number };

// Permitted documents come first and are few; then their passages, by key. Row policies keep `@@` from any index, since it is not
// leakproof, and the exact scan is quick up to some 20,000 permitted passages.
function query({ need, envelope: { principal, scopes, at } }: { need: Need & { kind: "passages" }; envelope: Envelope }) {
  const { documents } = principal.allow;
  const listed = documents === "all" ? sql`true` : sql`id = any (${[...documents]}::text[])`;
  return sql<Row>`
    with word as (
      select '''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''' as quoted
      from unnest(to_tsvector('english', ${need.query})) order by positions[1], lexeme collate "C" limit ${maxTerms}
    ), asked as materialized (
      select array_agg(quoted::tsquery) as words, string_agg(quoted, '|')::tsquery as any_word from word
    ), in_force as (
      select id, title, version, scopes, rank() over (partition by id order by valid_from desc) as newness
      from document
      where tenant = ${principal.tenant} and status = 'current' and valid_from <= to_timestamp(${at}::float8 / 1000)
        and (valid_to is null or valid_to > to_timestamp(${at}::float8 / 1000))
    ), permitted as materialized (
      select id, title, version from in_force where newness = 1 and scopes && ${[...scopes]}::text[] and ${listed}
    )
    select permitted.id as document, permitted.title, permitted.version, matched.position, matched.section, matched.body as text,
      least(share + 0.001 * rank, 1 - 0.001 * (1 - rank)) as score
    from asked cross join permitted
    cross join lateral (
      select position, section, body, terms, ts_rank(terms, asked.any_word, 32)::float8 as rank from passage
      where tenant = ${principal.tenant} and document_id = permitted.id and version = permitted.version and terms @@ asked.any_word
      offset 0
    ) as matched
    cross join lateral (
      select count(*) filter (where matched.terms @@ one)::float8 / count(*) as share from unnest(asked.words) as one
    ) as shared
    order by score desc, permitted.id collate "C", permitted.version collate "C", matched.position
    limit ${need.limit}`;
}

function checkNeed(need: Need & { kind: "passages" }): void {
  if (!isKeepableText(need.query))
    throw new CountersignError("bad_text", "the query holds NUL or a lone surrogate; send plain text");
  if (need.query.length > limits.requestText)
    throw new CountersignError("too_large", `the query is longer than ${limits.requestText} characters; ask in fewer words`);
  if (!Number.isInteger(need.limit) || need.limit < 1 || need.limit > maxPassages)
    throw new CountersignError("definition_invalid", `need \`${need.name}\` may ask for 1 to ${maxPassages} passages`);
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
