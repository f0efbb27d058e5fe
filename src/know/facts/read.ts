// Facts: statements that are true within a window, read as of a reference time and never without one. Permission, tenant, window and
// record time are part of each step of the one query; what may not be seen is not walked through, counted or hinted at. Never writes.
import { type RawBuilder, sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import { type Fact, type FactNeed, maxFactSteps, maxFacts } from "../../contract/fact.ts";
import { checkReferenceTime, isInstant } from "../../contract/instant.ts";
import { isKeepableText } from "../../contract/json.ts";
import type { Envelope } from "../../contract/principal.ts";
import type { Tx } from "../../store/database.ts";

/** An account whose list of record queries is limited sees the facts of a source where the list names it with this before it. */
const listedAs = "facts.";
/** More than this is no id, and no list of predicates. */
const maxIdLength = 200;
const maxPredicates = 50;

/**
 * Finds what was true of a subject at the need's reference time, as far as the envelope's labels and allow-lists permit: first the
 * window, then the order (by step, predicate, and the newest first). With `steps` above 1 it goes on along relations, to entities that
 * it was not at before; each step is held to the same permission and the same time. A fact that several paths lead to comes once.
 * Throws `reference_time_missing`, `reference_time_invalid`, `forbidden` (no labels given), `bad_text` or `definition_invalid`.
 */
export async function readFacts({
  tx,
  need,
  envelope,
}: {
  tx: Tx;
  need: FactNeed;
  envelope: Envelope;
}): Promise<readonly Fact[]> {
  const asked = checked(need, envelope);
  const { rows } = await query(asked).execute(tx);
  const isCutOff = rows.some(({ place }) => place > need.limit);
  const seen = new Set<string>();
  const facts: Fact[] = [];
  for (const { place, path, id, ...row } of rows) {
    if (place > need.limit || seen.has(id)) continue;
    seen.add(id);
    const ids = Object.freeze(path.map(factId));
    facts.push(Object.freeze({ kind: "fact", id: factId(id), need: need.name, at: asked.at, isCutOff, ...row, path: ids }));
  }
  return facts;
}

type Row = Omit<Fact, "kind" | "need" | "at" | "isCutOff"> & { readonly place: number; readonly labels?: never };

interface Asked {
  readonly need: FactNeed;
  readonly at: number;
  readonly steps: number;
  readonly tenant: string;
  readonly scopes: readonly string[];
  readonly sources: readonly string[] | "all";
}

function query(asked: Asked): RawBuilder<Row> {
  const { need, at, steps, tenant } = asked;
  const most = need.limit + 1;
  // What is permitted and known now comes through one text, so that no part of the query can be without it.
  const open = (fact: string) => sql`${permitted(sql.ref(fact), asked)}`;
  const now = (fact: string) => sql`${open(fact)} and ${trueAt(sql.ref(fact), at)}`;
  const next = sql`f.id, f.subject, f.predicate, f.object, f.valid_from, f.valid_to, f.learnt_from, f.source, f.mapping_version`;
  return sql<Row>`
    with recursive walk as (
      select 1 as step, start.*, array[start.id] as path, array[start.subject, start.object] as entities
      from (
        select ${next}, row_number() over (order by f.predicate, f.valid_from desc, f.id) as place
        from fact f where ${now("f")} and f.subject = ${need.subject} and ${oneOf("f", need.predicates)}
        order by place limit ${most}
      ) as start
      union all
      select reached.* from (
        select walk.step + 1 as step, found.*,
          row_number() over (order by walk.place, found.predicate, found.valid_from desc, found.id) as place,
          walk.path || found.id as path, walk.entities || found.object as entities
        from walk
        join fact_predicate as relation on relation.tenant = ${tenant} and relation.name = walk.predicate
          and relation.mapping_version = walk.mapping_version and relation.object_kind = 'entity'
        cross join lateral (
          select ${next} from fact f
          where ${now("f")} and f.subject = walk.object and ${oneOf("f", need.predicates)} and f.object <> all (walk.entities)
          order by f.predicate, f.valid_from desc, f.id limit ${most}
        ) as found
        where walk.step < ${steps} and walk.place <= ${need.limit}
      ) as reached
      where reached.place <= ${most}
    )
    select walk.id, walk.subject, walk.predicate, walk.object, walk.valid_from::float8 as "validFrom", walk.valid_to::float8 as "validTo",
      walk.learnt_from::float8 as "learntAt", walk.source, origin.title as "sourceTitle", origin.label, origin.zone,
      walk.mapping_version as "mappingVersion", walk.path, walk.place::integer as place,
      exists (select from fact later where ${open("later")} and later.subject = walk.subject and later.predicate = walk.predicate
        and later.valid_from > ${at}) as "hasLater",
      (select value_count = 'one' from fact_predicate as meant where meant.tenant = ${tenant} and meant.name = walk.predicate
        order by mapping_version desc limit 1)
        and exists (select from fact other where ${now("other")} and other.subject = walk.subject
          and other.predicate = walk.predicate and other.object <> walk.object) as "isInConflict"
    from walk join fact_source as origin on origin.tenant = ${tenant} and origin.name = walk.source
    order by walk.step, walk.place`;
}

/** The tenant's own, with a label that the principal has, of a source that its account may read, and known as of the asked record time. */
function permitted(fact: RawBuilder<unknown>, { need: { asKnownAt }, tenant, scopes, sources }: Asked): RawBuilder<unknown> {
  const listed = sources === "all" ? sql`true` : sql`${fact}.source = any (${[...sources]}::text[])`;
  const known =
    asKnownAt === undefined
      ? sql`${fact}.learnt_to is null`
      : sql`${fact}.learnt_from <= ${asKnownAt} and (${fact}.learnt_to is null or ${fact}.learnt_to > ${asKnownAt})`;
  return sql`${fact}.tenant = ${tenant} and ${fact}.scopes && ${[...scopes]}::text[] and ${listed} and ${known}`;
}

function trueAt(fact: RawBuilder<unknown>, at: number): RawBuilder<unknown> {
  return sql`${fact}.valid_from <= ${at} and (${fact}.valid_to is null or ${fact}.valid_to > ${at})`;
}

function oneOf(fact: string, predicates: FactNeed["predicates"]): RawBuilder<unknown> {
  return predicates === "all" ? sql`true` : sql`${sql.ref(fact)}.predicate = any (${[...predicates]}::text[])`;
}

function factId(id: string): string {
  return `fact:${id}`;
}

function checked(need: FactNeed, { principal, scopes, at: clock }: Envelope): Asked {
  const at = checkReferenceTime({ at: need.at, clock });
  const { asKnownAt, steps = 1, predicates } = need;
  if (asKnownAt !== undefined && !(isInstant(asKnownAt) && asKnownAt <= clock)) {
    const message = "`asKnownAt` is whole milliseconds since the epoch, and not ahead of the request's own time";
    throw new CountersignError("reference_time_invalid", message);
  }
  // An empty list is nothing; a missing one is an error.
  if (!Array.isArray(scopes))
    throw new CountersignError("forbidden", "facts are read with the labels that the principal may see");
  checkWords(need);
  const isCount = (count: number, most: number) => Number.isInteger(count) && count >= 1 && count <= most;
  if (!isCount(need.limit, maxFacts)) throw invalid(need, `may ask for 1 to ${maxFacts} facts`);
  if (!isCount(steps, maxFactSteps)) throw invalid(need, `may walk 1 to ${maxFactSteps} steps`);
  if (predicates !== "all" && !isCount(predicates.length, maxPredicates))
    throw invalid(need, `names 1 to ${maxPredicates} predicates, or "all"`);
  return { need, at, steps, tenant: principal.tenant, scopes, sources: sourcesOf(principal.allow.records) };
}

function checkWords(need: FactNeed): void {
  const words = [need.subject, ...(need.predicates === "all" ? [] : need.predicates)];
  if (!words.every((word) => typeof word === "string" && isKeepableText(word)))
    throw new CountersignError("bad_text", "an entity's id holds NUL or a lone surrogate; send plain text");
  if (words.some((word) => word === "" || word.length > maxIdLength))
    throw invalid(need, `asks for an entity or predicate of 1 to ${maxIdLength} characters`);
}

/** The sources of facts that an account's list of record queries names. */
function sourcesOf(records: Envelope["principal"]["allow"]["records"]): readonly string[] | "all" {
  if (records === "all") return "all";
  return records.flatMap((name) => (name.startsWith(listedAs) ? [name.slice(listedAs.length)] : []));
}

function invalid({ name }: FactNeed, what: string): CountersignError {
  return new CountersignError("definition_invalid", `need \`${name}\` ${what}`);
}
