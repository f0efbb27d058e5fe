// Writes facts: only ever more of them. A correction closes what was known and writes what is known instead; nothing is edited, and what
// is known of an entity goes only by erasure. For the acting half and for what files documents; nothing that decides has a path here.
import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { FactDraft, FactSource, FactsWritten, PredicateDraft } from "../../contract/fact.ts";
import { instantOf } from "../../contract/instant.ts";
import { idPattern } from "../../contract/limits.ts";
import type { Tx } from "../../store/database.ts";
import { type CheckedFact, checkDraft, checkScopes } from "./drafts.ts";

/** Where a fact is written, and who says so. */
export interface FactPlace {
  readonly tx: Tx;
  readonly tenant: string;
  /** The name of a source that was named before. */
  readonly source: string;
}

/** Names a source of facts; the same again changes nothing. Throws `definition_invalid` where it was named otherwise before. */
export async function nameFactSource({ tx, tenant }: Pick<FactPlace, "tx" | "tenant">, source: FactSource): Promise<void> {
  const { name, title, zone, label } = source;
  if (!idPattern.test(name) || title.trim() === "" || label === "secret") throw invalid(`the source \`${name}\` is not usable`);
  instantOf("2000", zone);
  const { rows } = await sql`
    with named as (
      insert into fact_source (tenant, name, title, zone, label) values (${tenant}, ${name}, ${title}, ${zone}, ${label})
      on conflict do nothing returning name
    )
    select name from named union all
    select name from fact_source where tenant = ${tenant} and name = ${name} and title = ${title} and zone = ${zone} and label = ${label}
  `.execute(tx);
  if (rows.length === 0) throw invalid(`the source \`${name}\` was named otherwise before; take another name`);
}

/**
 * Declares a version of the mapping: what each predicate means. The same again changes nothing; throws `definition_invalid` where a
 * predicate meant something else in that version.
 */
export async function declarePredicates(
  { tx, tenant }: Pick<FactPlace, "tx" | "tenant">,
  { version, predicates }: { readonly version: number; readonly predicates: readonly PredicateDraft[] },
): Promise<void> {
  if (!Number.isInteger(version) || version < 1) throw invalid("a mapping has a version of 1 or more");
  for (const { name, values, objects } of predicates) {
    if (!idPattern.test(name)) throw invalid(`predicate \`${name}\` has not the form of an id`);
    const { rows } = await sql`
      with declared as (
        insert into fact_predicate (tenant, name, mapping_version, value_count, object_kind)
        values (${tenant}, ${name}, ${version}, ${values}, ${objects}) on conflict do nothing returning name
      )
      select name from declared union all
      select name from fact_predicate where tenant = ${tenant} and name = ${name} and mapping_version = ${version}
        and value_count = ${values} and object_kind = ${objects}
    `.execute(tx);
    if (rows.length === 0) throw invalid(`predicate \`${name}\` means something else in version ${version} of the mapping`);
  }
}

/**
 * Writes facts under a version of the mapping. What its source said before, word for word, is not written twice. Throws `bad_request`
 * for a fact that is none, `reference_time_invalid` for its dates, `definition_invalid` for an unknown source or predicate.
 */
export async function writeFacts(
  place: FactPlace,
  { mapping, facts }: { readonly mapping: number; readonly facts: readonly FactDraft[] },
): Promise<FactsWritten> {
  const rows = await preparedFacts(place, facts);
  const found = { written: [] as string[], known: [] as string[] };
  for (const row of rows) {
    const { id, isNew } = await insertFact(place, { ...row, mapping, corrects: null, reason: null });
    (isNew ? found.written : found.known).push(`fact:${id}`);
  }
  return found;
}

/**
 * Corrects a fact: it was known until now and is no more; `instead`, where there is one, is known from this instant on. Both stay
 * readable as they were known. Throws `not_found` where the fact is not known (any more).
 */
export async function correctFact(
  place: Pick<FactPlace, "tx" | "tenant">,
  { id, reason, instead }: { readonly id: string; readonly reason: string; readonly instead: FactDraft | null },
): Promise<string | null> {
  if (reason.trim() === "") throw bad("a correction has a reason");
  const { tx, tenant } = place;
  const uuid = id.replace(/^fact:/, "");
  const known = await sql<{ source: string; mapping_version: number }>`
    select source, mapping_version from fact where tenant = ${tenant} and id::text = ${uuid} and learnt_to is null for update
  `.execute(tx);
  const [closing] = known.rows;
  if (closing === undefined) throw unknownFact();
  const { source, mapping_version: mapping } = closing;
  const [row] = instead === null ? [] : await preparedFacts({ ...place, source }, [instead]);
  return replace({ ...place, source }, { uuid, row: row && { ...row, mapping, corrects: uuid, reason } });
}

/**
 * Changes who may see a fact, and with it what it came in the place of: in force for the next query, also for one as known before. Throws
 * `not_found` where there is no such fact.
 */
export async function changeFactScopes(
  { tx, tenant }: Pick<FactPlace, "tx" | "tenant">,
  { id, scopes }: { readonly id: string; readonly scopes: readonly string[] },
): Promise<void> {
  checkScopes(scopes);
  const { numAffectedRows = 0n } = await sql`
    with recursive line as (
      select id, corrects from fact where tenant = ${tenant} and id::text = ${id.replace(/^fact:/, "")}
      union select before.id, before.corrects from fact before join line on before.tenant = ${tenant} and before.id = line.corrects
    )
    update fact set scopes = ${[...scopes]}::text[] where tenant = ${tenant} and id in (select id from line)
  `.execute(tx);
  if (numAffectedRows === 0n) throw unknownFact();
}

/**
 * Writes what became of a predicate with one value: the fact holds from its start on, and what held at that instant ends there. Of what
 * ends, the time before stays as it was. Throws `definition_invalid` where the predicate may have several values at a time.
 */
export async function succeedFact(
  place: FactPlace,
  { mapping, fact, reason }: { readonly mapping: number; readonly fact: FactDraft; readonly reason: string },
): Promise<FactsWritten> {
  const { tx, tenant, source } = place;
  const [row] = await preparedFacts(place, [fact]);
  if (row === undefined) throw bad("there is no fact to write");
  await lockSubject(place, row.subject);
  const meant = await sql<{ value_count: string }>`
    select value_count from fact_predicate where tenant = ${tenant} and name = ${row.predicate} and mapping_version = ${mapping}
  `.execute(tx);
  if (meant.rows[0]?.value_count !== "one")
    throw invalid(`predicate \`${row.predicate}\` has not one value at a time in version ${mapping} of the mapping`);
  const held = await sql<KeptRow & { id: string }>`
    select id, subject, predicate, object, valid_from::float8 as from, valid_to::float8 as to, scopes, mapping_version as mapping
    from fact where tenant = ${tenant} and source = ${source} and learnt_to is null and subject = ${row.subject}
      and predicate = ${row.predicate} and object <> ${row.object}
      and valid_from < ${row.from} and (valid_to is null or valid_to > ${row.from}) order by id for update
  `.execute(tx);
  for (const { id: uuid, ...before } of held.rows)
    await replace(place, { uuid, row: { ...before, to: row.from, corrects: uuid, reason } });
  return writeFacts(place, { mapping, facts: [fact] });
}

/** Removes all that is known, and was ever known, of an entity; returns how many facts that were. */
export async function eraseFacts({ tx, tenant }: Pick<FactPlace, "tx" | "tenant">, entity: string): Promise<number> {
  const { rows } = await sql<{ erased: number }>`select erase_facts(${tenant}, ${entity}) as erased`.execute(tx);
  return rows[0]?.erased ?? 0;
}

type KeptRow = CheckedFact & { readonly mapping: number };
type NewRow = KeptRow & { readonly corrects: string | null; readonly reason: string | null };

async function preparedFacts(place: FactPlace, facts: readonly FactDraft[]): Promise<readonly CheckedFact[]> {
  const { rows } = await sql<{ zone: string }>`
    select zone from fact_source where tenant = ${place.tenant} and name = ${place.source}
  `.execute(place.tx);
  const [source] = rows;
  if (source === undefined) throw invalid(`no source of facts is named \`${place.source}\``);
  return facts.map((fact) => checkDraft(fact, source.zone));
}

async function insertFact(place: FactPlace, row: NewRow): Promise<{ id: string; isNew: boolean }> {
  await lockSubject(place, row.subject);
  const { tx, tenant, source } = place;
  const same = await sql<{ id: string }>`
    select id from fact where tenant = ${tenant} and source = ${source} and learnt_to is null and subject = ${row.subject}
      and predicate = ${row.predicate} and object = ${row.object} and valid_from = ${row.from} and valid_to is not distinct from ${row.to}
  `.execute(tx);
  if (same.rows[0] !== undefined) return { id: same.rows[0].id, isNew: false };
  const insert = sql<{ id: string }>`${insertion({ tenant, source }, row)} returning id`;
  const [made] = (await insert.execute(tx).catch(unknownWord(row))).rows;
  if (made === undefined) throw new CountersignError("internal", "a fact was not written, without a reason");
  return { id: made.id, isNew: true };
}

/** Closes one fact and writes another in its place, in one statement: both happen at the same instant. */
async function replace(
  { tx, tenant, source }: FactPlace,
  { uuid, row }: { readonly uuid: string; readonly row: NewRow | undefined },
): Promise<string | null> {
  const closing = sql`update fact set learnt_to = statement_ms() where tenant = ${tenant} and id = ${uuid} and learnt_to is null`;
  if (row === undefined) {
    await closing.execute(tx);
    return null;
  }
  const { rows } = await sql<{ id: string }>`
    with closed as (${closing} returning id), made as (${insertion({ tenant, source }, row)} returning id)
    select made.id from made, closed
  `
    .execute(tx)
    .catch(unknownWord(row));
  return rows[0] === undefined ? null : `fact:${rows[0].id}`;
}

function insertion({ tenant, source }: Pick<FactPlace, "tenant" | "source">, row: NewRow) {
  return sql`insert into fact (tenant, subject, predicate, object, valid_from, valid_to, source, mapping_version, scopes, corrects, reason)
    values (${tenant}, ${row.subject}, ${row.predicate}, ${row.object}, ${row.from}, ${row.to}, ${source}, ${row.mapping},
      ${[...row.scopes]}::text[], ${row.corrects}::uuid, ${row.reason})`;
}

/** Writers of one subject take turns, so that what one closes no other has seen as open. */
async function lockSubject({ tx, tenant }: Pick<FactPlace, "tx" | "tenant">, subject: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`fact ${tenant} ${subject}`}, 0))`.execute(tx);
}

/** What the database says where a fact names a predicate that nobody declared. */
function unknownWord({ predicate, mapping }: NewRow): (thrown: unknown) => never {
  return (thrown) => {
    if (typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code === "23503")
      throw invalid(`predicate \`${predicate}\` is not declared in version ${mapping} of the mapping`);
    throw thrown;
  };
}

function unknownFact(): CountersignError {
  return new CountersignError("not_found", "no fact of that id is known; it may have been corrected");
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}

function bad(message: string): CountersignError {
  return new CountersignError("bad_request", message);
}
