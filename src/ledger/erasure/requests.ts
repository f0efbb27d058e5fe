import { sql } from "kysely";
import { peopleOf, type WaitsFor } from "./busy.ts";
import { type ErasedPart, type Eraser, eraseBodies } from "./erase.ts";
import { laterMs } from "./walk.ts";

const pageSize = 100;

interface DueRow {
  readonly id: string;
  readonly part: ErasedPart;
  readonly why: "retention" | "request";
  readonly decision_id: string;
  readonly reason: string | null;
}

/** Carries out what is due of single decisions, in one group; what cannot be erased yet is due again later. Returns as `walkOutcomes` does. */
export async function eraseDue(eraser: Eraser): Promise<{ readonly erased: number; readonly isMore: boolean }> {
  const { tx, tenant, now } = eraser;
  const { rows } = await sql<DueRow>`
    select id, part, why, decision_id, reason from countersign.erasure
    where tenant = ${tenant} and decision_id is not null and due_at <= to_timestamp(${now} / 1000.0)
    order by due_at, id limit ${pageSize} for update skip locked`.execute(tx);
  if (rows.length === 0) return { erased: 0, isMore: false };
  const group = rows.map(({ decision_id, part, why, reason }) => ({ decisionId: decision_id, part, why, reason }));
  const { left, erased } = await eraseBodies(group, eraser);
  const gone = rows.filter(({ decision_id }) => !left.has(decision_id));
  await forgetMemory(eraser, gone);
  await sql`
    delete from countersign.erasure where tenant = ${tenant} and id = any (${gone.map(({ id }) => id)}::uuid[])`.execute(tx);
  for (const [decisionId, waitsFor] of left) await leave(eraser, { decisionId, waitsFor });
  return { erased, isMore: rows.length === pageSize };
}

async function leave(
  { tx, tenant, now }: Eraser,
  { decisionId, waitsFor }: { decisionId: string; waitsFor: WaitsFor },
): Promise<void> {
  await sql`
    update countersign.erasure set due_at = to_timestamp(${now + laterMs} / 1000.0), waits_for = ${waitsFor}
    where tenant = ${tenant} and decision_id = ${decisionId} and due_at <= to_timestamp(${now} / 1000.0)`.execute(tx);
}

/** What was remembered of a decision goes with it where somebody asked for that; memory has an end of its own else. */
async function forgetMemory({ tx, tenant }: Eraser, gone: readonly DueRow[]): Promise<void> {
  const asked = gone.filter(({ why, part }) => why === "request" && part === "payload").map(({ decision_id }) => decision_id);
  if (asked.length === 0) return;
  await sql`delete from countersign.memory where tenant = ${tenant} and decision_id = any (${asked}::uuid[])`.execute(tx);
}

interface PersonRow {
  readonly id: string;
  readonly person: string;
  readonly reason: string | null;
  readonly place: string | null;
}

/**
 * Carries on with one request that names a person: looks through a page of the tenant's decisions for those that they asked for or that
 * were asked for them, and puts each of those down to be erased. At the end their memory goes and what their cases were told.
 */
export async function spreadRequest(eraser: Eraser): Promise<{ readonly isMore: boolean }> {
  const { tx, tenant, now } = eraser;
  const { rows } = await sql<PersonRow>`
    select id, person, reason, place from countersign.erasure
    where tenant = ${tenant} and person is not null and due_at <= to_timestamp(${now} / 1000.0)
    order by due_at, id limit 1 for update skip locked`.execute(tx);
  const [asked] = rows;
  if (asked === undefined) return { isMore: false };
  const page = await readPage(eraser, asked.place);
  const theirs = page.filter(({ body }) => peopleOf(body).includes(asked.person)).map(({ decision_id }) => decision_id);
  await sql`
    insert into countersign.erasure (tenant, part, why, decision_id, reason)
    select ${tenant}, 'payload', 'request', id, ${asked.reason} from unnest(${theirs}::uuid[]) as id
    on conflict (tenant, decision_id, part) where decision_id is not null
    do update set why = excluded.why, reason = excluded.reason, due_at = excluded.due_at`.execute(tx);
  const last = page.at(-1);
  if (last !== undefined && page.length === lookedAt) await moveOn(eraser, asked.id, last.decision_id);
  else await endRequest(eraser, asked);
  return { isMore: true };
}

const lookedAt = 500;

async function readPage({ tx, tenant }: Eraser, after: string | null) {
  const { rows } = await sql<{ decision_id: string; body: string }>`
    select decision_id, body from countersign.entry
    where tenant = ${tenant} and kind in ('decided', 'stopped') and decision_id > ${after ?? "00000000-0000-0000-0000-000000000000"}
    order by decision_id limit ${lookedAt}`.execute(tx);
  return rows;
}

async function moveOn({ tx, tenant }: Eraser, id: string, place: string): Promise<void> {
  await sql`update countersign.erasure set place = ${place} where tenant = ${tenant} and id = ${id}`.execute(tx);
}

/** A case that runs keeps its data until it has ended; the request stays for it. */
async function endRequest({ tx, tenant, now }: Eraser, { id, person }: PersonRow): Promise<void> {
  await sql`delete from countersign.memory where tenant = ${tenant} and (owner = ${person} or on_behalf_of = ${person})`.execute(
    tx,
  );
  await sql`
    update countersign.case_event set body = '' where tenant = ${tenant} and body <> '' and (by_principal = ${person} or run_id in (
      select id from countersign.case_run
      where tenant = ${tenant} and (started_by = ${person} or on_behalf_of = ${person}))) and exists (
      select from countersign.case_run where case_run.tenant = case_event.tenant and case_run.id = case_event.run_id and state = 'ended')`.execute(
    tx,
  );
  await sql`
    update countersign.case_run set body = ''
    where tenant = ${tenant} and body <> '' and state = 'ended' and (started_by = ${person} or on_behalf_of = ${person})`.execute(
    tx,
  );
  const running = await sql`
    select from countersign.case_run
    where tenant = ${tenant} and state <> 'ended' and (started_by = ${person} or on_behalf_of = ${person}) limit 1`.execute(tx);
  if (running.rows.length === 0) await sql`delete from countersign.erasure where tenant = ${tenant} and id = ${id}`.execute(tx);
  else
    await sql`
      update countersign.erasure set due_at = to_timestamp(${now + laterMs} / 1000.0), waits_for = 'case', place = null
      where tenant = ${tenant} and id = ${id}`.execute(tx);
}
