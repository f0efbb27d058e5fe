// Puts one fact in the place of another: a correction of what was known, or what became of it. Both close a row and write another one;
// nothing is edited. For the acting half alone, like `write.ts`.
import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { FactDraft, FactsWritten } from "../../contract/fact.ts";
import type { CheckedFact } from "./drafts.ts";
import {
  type FactPlace,
  insertFact,
  insertion,
  type KeptRow,
  lockSubjects,
  type NewRow,
  preparedFacts,
  unknownFact,
  unknownWord,
} from "./write.ts";

/**
 * Corrects a fact: it was known until now and is no more; `instead`, where there is one, is known from this instant on. Both stay
 * readable as they were known. The same correction again changes nothing. Throws `not_found` where the fact is not known (any more).
 */
export async function correctFact(
  place: Pick<FactPlace, "tx" | "tenant">,
  { id, reason, instead }: { readonly id: string; readonly reason: string; readonly instead: FactDraft | null },
): Promise<string | null> {
  if (reason.trim() === "") throw bad("a correction has a reason");
  const { tx, tenant } = place;
  const uuid = id.replace(/^fact:/, "");
  // What a fact says never changes, so its subject can be read before it is locked, and whether it is known behind the lock alone.
  const { subject } = await readFact(place, uuid);
  await lockSubjects(place, [subject, ...(instead === null ? [] : [instead.subject])]);
  const { source, mapping, isKnown } = await readFact(place, uuid);
  const [row] = instead === null ? [] : await preparedFacts({ ...place, source }, [instead]);
  if (!isKnown) return sameCorrection(place, { uuid, row, reason });
  return replace({ tx, tenant, source }, { uuid, row: row && { ...row, mapping, corrects: uuid, reason } });
}

/**
 * Writes what became of a predicate with one value: the fact holds from its start on. What its source said to hold at that instant ends
 * there, what begins with it is corrected by it, and where it is told without an end it ends where the next that is known begins. Of what
 * ends, the time before stays as it was. Throws `definition_invalid` where the predicate may have several values at a time, `bad_request`
 * where the fact has an end and another value is known to begin before it.
 */
export async function succeedFact(
  place: FactPlace,
  { mapping, fact, reason }: { readonly mapping: number; readonly fact: FactDraft; readonly reason: string },
): Promise<FactsWritten> {
  const [told] = await preparedFacts(place, [fact]);
  if (told === undefined) throw bad("there is no fact to write");
  await lockSubjects(place, [told.subject]);
  await checkOneValue(place, { told, mapping });
  const around = await readAround(place, told);
  const row = { ...told, to: endBefore(told, around), mapping };
  for (const { id: uuid, ...before } of around.filter(({ from, object }) => from < row.from && object !== row.object))
    await replace(place, { uuid, row: { ...before, to: row.from, corrects: uuid, reason } });
  const isSame = ({ object, to }: CheckedFact) => object === row.object && to === row.to;
  const beside = around.filter(({ from }) => from === row.from);
  const [first, ...rest] = beside.filter((one) => !isSame(one));
  for (const { id: uuid } of rest) await replace(place, { uuid, row: undefined });
  if (first !== undefined && !beside.some(isSame)) {
    const id = await replace(place, { uuid: first.id, row: { ...row, corrects: first.id, reason } });
    return { written: id === null ? [] : [id], known: [] };
  }
  if (first !== undefined) await replace(place, { uuid: first.id, row: undefined });
  const { id, isNew } = await insertFact(place, { ...row, corrects: null, reason: null });
  return isNew ? { written: [`fact:${id}`], known: [] } : { written: [], known: [`fact:${id}`] };
}

interface FoundFact {
  readonly subject: string;
  readonly source: string;
  readonly mapping: number;
  readonly isKnown: boolean;
}

async function readFact({ tx, tenant }: Pick<FactPlace, "tx" | "tenant">, uuid: string): Promise<FoundFact> {
  const { rows } = await sql<FoundFact>`
    select subject, source, mapping_version as mapping, learnt_to is null as "isKnown" from fact
    where tenant = ${tenant} and id::text = ${uuid}`.execute(tx);
  if (rows[0] === undefined) throw unknownFact();
  return rows[0];
}

/** The id of what this same correction put in the place of a fact that is closed; `null` where it put nothing there. */
async function sameCorrection(
  { tx, tenant }: Pick<FactPlace, "tx" | "tenant">,
  { uuid, row, reason }: { readonly uuid: string; readonly row: CheckedFact | undefined; readonly reason: string },
): Promise<string | null> {
  const { rows } = await sql<KeptRow & { id: string; reason: string }>`
    select id, subject, predicate, object, valid_from::float8 as from, valid_to::float8 as to, reason
    from fact where tenant = ${tenant} and corrects = ${uuid}::uuid`.execute(tx);
  if (row === undefined && rows.length === 0) return null;
  const fields = ["subject", "predicate", "object", "from", "to"] as const;
  const same = rows.find((one) => one.reason === reason && row !== undefined && fields.every((name) => one[name] === row[name]));
  if (same === undefined) throw unknownFact();
  return `fact:${same.id}`;
}

async function checkOneValue(
  { tx, tenant }: FactPlace,
  { told: { predicate }, mapping }: { readonly told: CheckedFact; readonly mapping: number },
): Promise<void> {
  const { rows } = await sql<{ value_count: string }>`
    select value_count from fact_predicate where tenant = ${tenant} and name = ${predicate} and mapping_version = ${mapping}
  `.execute(tx);
  if (rows[0]?.value_count === "one") return;
  const message = `predicate \`${predicate}\` has not one value at a time in version ${mapping} of the mapping`;
  throw new CountersignError("definition_invalid", message);
}

type Around = readonly (KeptRow & { readonly id: string })[];

/** What the source said of this subject and predicate, as far as it reaches beyond the fact's start. */
async function readAround({ tx, tenant, source }: FactPlace, { subject, predicate, from }: CheckedFact): Promise<Around> {
  const { rows } = await sql<Around[number]>`
    select id, subject, predicate, object, valid_from::float8 as from, valid_to::float8 as to, scopes, mapping_version as mapping
    from fact where tenant = ${tenant} and source = ${source} and learnt_to is null and subject = ${subject}
      and predicate = ${predicate} and (valid_to is null or valid_to > ${from}) order by valid_from, id for update`.execute(tx);
  return rows;
}

/** Where a fact ends that is told backwards: what is known to begin later goes on holding from there. */
function endBefore({ from, to, object }: CheckedFact, around: Around): number | null {
  const later = around.filter((one) => one.from > from);
  if (to === null) return later[0]?.from ?? null;
  if (later.some((one) => one.from < to && one.object !== object))
    throw bad("another value is known to begin before this one ends; end it there, or correct that one first");
  return to;
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

function bad(message: string): CountersignError {
  return new CountersignError("bad_request", message);
}
