// Writes facts: only ever more of them; nothing that a fact says is edited, and what is known of an entity goes only by erasure. For the
// acting half and for what files documents; nothing that decides has a path here.
import { type RawBuilder, sql } from "kysely";
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
 * Writes facts under a version of the mapping. What its source said before, word for word, is not written twice; where it comes with
 * other labels, these count from now on. Throws `bad_request` for a fact that is none, `reference_time_invalid` for its dates,
 * `definition_invalid` for an unknown source or predicate.
 */
export async function writeFacts(
  place: FactPlace,
  { mapping, facts }: { readonly mapping: number; readonly facts: readonly FactDraft[] },
): Promise<FactsWritten> {
  const rows = await preparedFacts(place, facts);
  await lockSubjects(
    place,
    rows.map(({ subject }) => subject),
  );
  const found = { written: [] as string[], known: [] as string[] };
  for (const row of rows) {
    const { id, isNew } = await insertFact(place, { ...row, mapping, corrects: null, reason: null });
    (isNew ? found.written : found.known).push(`fact:${id}`);
  }
  return found;
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

/** Removes all that is known, and was ever known, of an entity; returns how many facts that were. */
export async function eraseFacts({ tx, tenant }: Pick<FactPlace, "tx" | "tenant">, entity: string): Promise<number> {
  const { rows } = await sql<{ erased: number }>`select erase_facts(${tenant}, ${entity}) as erased`.execute(tx);
  return rows[0]?.erased ?? 0;
}

/** A fact under a version of the mapping. */
export type KeptRow = CheckedFact & { readonly mapping: number };
/** A fact that is to be written: in the place of which one, and why. */
export type NewRow = KeptRow & { readonly corrects: string | null; readonly reason: string | null };

/** Checks facts in the zone of their source. Throws as `writeFacts` does. */
export async function preparedFacts(place: FactPlace, facts: readonly FactDraft[]): Promise<readonly CheckedFact[]> {
  const { rows } = await sql<{ zone: string }>`
    select zone from fact_source where tenant = ${place.tenant} and name = ${place.source}
  `.execute(place.tx);
  const [source] = rows;
  if (source === undefined) throw invalid(`no source of facts is named \`${place.source}\``);
  return facts.map((fact) => checkDraft(fact, source.zone));
}

/** Writes a fact that its source has not said before. Invariant: the subject is locked. Throws `definition_invalid` for its predicate. */
export async function insertFact(place: FactPlace, row: NewRow): Promise<{ id: string; isNew: boolean }> {
  const { tx, tenant, source } = place;
  const same = await sql<{ id: string; isSeenSo: boolean }>`
    select id, scopes @> ${[...row.scopes]}::text[] and scopes <@ ${[...row.scopes]}::text[] as "isSeenSo"
    from fact where tenant = ${tenant} and source = ${source} and learnt_to is null and subject = ${row.subject}
      and predicate = ${row.predicate} and object = ${row.object} and valid_from = ${row.from} and valid_to is not distinct from ${row.to}
  `.execute(tx);
  const [known] = same.rows;
  if (known !== undefined) {
    // Whom its source now shows it to counts, also where that is fewer.
    if (!known.isSeenSo) await changeFactScopes(place, { id: known.id, scopes: row.scopes });
    return { id: known.id, isNew: false };
  }
  const insert = sql<{ id: string }>`${insertion({ tenant, source }, row)} returning id`;
  const [made] = (await insert.execute(tx).catch(unknownWord(row))).rows;
  if (made === undefined) throw new CountersignError("internal", "a fact was not written, without a reason");
  return { id: made.id, isNew: true };
}

/** The statement that writes a fact. */
export function insertion({ tenant, source }: Pick<FactPlace, "tenant" | "source">, row: NewRow): RawBuilder<unknown> {
  return sql`insert into fact (tenant, subject, predicate, object, valid_from, valid_to, source, mapping_version, scopes, corrects, reason)
    values (${tenant}, ${row.subject}, ${row.predicate}, ${row.object}, ${row.from}, ${row.to}, ${source}, ${row.mapping},
      ${[...row.scopes]}::text[], ${row.corrects}::uuid, ${row.reason})`;
}

/**
 * Has the writers of a subject take turns, so that what one closes no other has seen as open. Several are locked in one order, the same
 * that erasure locks in.
 */
export async function lockSubjects({ tx, tenant }: Pick<FactPlace, "tx" | "tenant">, subjects: readonly string[]): Promise<void> {
  await sql`select lock_facts(${tenant}, ${[...subjects]}::text[])`.execute(tx);
}

/** What the database says where a fact names a predicate that nobody declared. */
export function unknownWord({ predicate, mapping }: NewRow): (thrown: unknown) => never {
  return (thrown) => {
    if (typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code === "23503")
      throw invalid(`predicate \`${predicate}\` is not declared in version ${mapping} of the mapping`);
    throw thrown;
  };
}

/** The error of an id of no fact that is known. */
export function unknownFact(): CountersignError {
  return new CountersignError("not_found", "no fact of that id is known; it may have been corrected");
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
