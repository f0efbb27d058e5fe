import { sql } from "kysely";
import type { WaitsFor } from "./busy.ts";
import type { Eraser } from "./erase.ts";
import { type Holds, heldDecisions, lockHolds, peopleOf } from "./holds.ts";
import { laterMs } from "./walk.ts";

const lookedAt = 500;
/** How long a decision that had begun before the request is left to end, in milliseconds, before it is looked for again. */
const endsMs = 60_000;
const firstId = "00000000-0000-0000-0000-000000000000";

interface PersonRow {
  readonly id: string;
  readonly person: string;
  readonly reason: string | null;
  readonly place: string | null;
  readonly under_way: readonly string[] | null;
}

interface OutcomeRow {
  readonly decision_id: string;
  readonly body: string;
}

/** What was put down at this step, and whether there may be more to do at once. */
export interface Spread {
  readonly isMore: boolean;
  readonly decisionIds: readonly string[];
}

/**
 * Carries on with one request that names a person, or with the one of this person: looks through a page of the tenant's decisions for
 * those that they asked for or that were asked for them, and puts each of those down to be erased. What had begun before is waited for.
 * At the end their memory goes and what their cases were told.
 */
export async function spreadRequest(eraser: Eraser, person: string | null = null): Promise<Spread> {
  const { tx, tenant, now } = eraser;
  const holds = await lockHolds(eraser);
  const { rows } = await sql<PersonRow>`
    select id, person, reason, place, under_way from countersign.erasure
    where tenant = ${tenant} and person is not null and due_at <= to_timestamp(${now} / 1000.0)
      and (${person}::text is null or person = ${person})
    order by due_at, id limit 1 for update skip locked`.execute(tx);
  const [asked] = rows;
  if (asked === undefined) return { isMore: false, decisionIds: [] };
  // Before the page: what ends from here on stands on this list.
  const underWay = asked.under_way ?? (await readUnderWay(eraser, null));
  const page = await readPage(eraser, asked.place);
  const place = page.at(-1)?.decision_id ?? asked.place;
  const theirs = [...(await putDown(eraser, asked, page))];
  if (page.length === lookedAt) await moveOn(eraser, asked.id, { place, underWay });
  else {
    const open = await readUnderWay(eraser, underWay);
    theirs.push(...(await putDown(eraser, asked, await readOutcomes(eraser, underWay))));
    if (open.length > 0) await waitForOutcomes(eraser, asked.id, { place, underWay: open });
    else await endRequest(eraser, asked, holds);
  }
  return { isMore: true, decisionIds: theirs };
}

/** What has begun and not ended: of these, or of all. */
async function readUnderWay({ tx, tenant }: Eraser, of: readonly string[] | null): Promise<readonly string[]> {
  if (of?.length === 0) return [];
  const { rows } = await sql<{ decision_id: string }>`
    select decision_id from countersign.intent
    where tenant = ${tenant} and not ended and (${of}::uuid[] is null or decision_id = any (${of}::uuid[]))`.execute(tx);
  return rows.map(({ decision_id }) => decision_id);
}

async function readPage({ tx, tenant }: Eraser, after: string | null): Promise<readonly OutcomeRow[]> {
  const { rows } = await sql<OutcomeRow>`
    select decision_id, body from countersign.entry
    where tenant = ${tenant} and kind in ('decided', 'stopped') and decision_id > ${after ?? firstId}
    order by decision_id limit ${lookedAt}`.execute(tx);
  return rows;
}

async function readOutcomes({ tx, tenant }: Eraser, of: readonly string[]): Promise<readonly OutcomeRow[]> {
  if (of.length === 0) return [];
  const { rows } = await sql<OutcomeRow>`
    select decision_id, body from countersign.entry
    where tenant = ${tenant} and decision_id = any (${of}::uuid[]) and kind in ('decided', 'stopped')`.execute(tx);
  return rows;
}

async function putDown(
  { tx, tenant }: Eraser,
  { person, reason }: PersonRow,
  outcomes: readonly OutcomeRow[],
): Promise<readonly string[]> {
  const theirs = outcomes.filter(({ body }) => peopleOf(body).includes(person)).map(({ decision_id }) => decision_id);
  if (theirs.length === 0) return [];
  await sql`
    insert into countersign.erasure (tenant, part, why, decision_id, reason)
    select ${tenant}, 'payload', 'request', id, ${reason} from unnest(${theirs}::uuid[]) as id
    on conflict (tenant, decision_id, part, rules) where decision_id is not null
    do update set why = excluded.why, reason = excluded.reason, due_at = excluded.due_at`.execute(tx);
  return theirs;
}

interface Reached {
  readonly place: string | null;
  readonly underWay: readonly string[];
}

async function moveOn({ tx, tenant }: Eraser, id: string, { place, underWay }: Reached): Promise<void> {
  await sql`
    update countersign.erasure set place = ${place}, under_way = ${underWay}::uuid[]
    where tenant = ${tenant} and id = ${id}`.execute(tx);
}

async function waitForOutcomes(eraser: Eraser, id: string, reached: Reached): Promise<void> {
  await moveOn(eraser, id, reached);
  await sql`
    update countersign.erasure set due_at = to_timestamp(${eraser.now + endsMs} / 1000.0), waits_for = 'decision'
    where tenant = ${eraser.tenant} and id = ${id}`.execute(eraser.tx);
}

/** What is held stays, and a case that runs keeps its data until it has ended; the request stays for both, and begins anew then. */
async function endRequest(eraser: Eraser, { id, person }: PersonRow, holds: Holds): Promise<void> {
  const { tx, tenant, now } = eraser;
  const waitsFor = await forgetPerson(eraser, person, holds);
  if (waitsFor === null) await sql`delete from countersign.erasure where tenant = ${tenant} and id = ${id}`.execute(tx);
  else
    await sql`
      update countersign.erasure
      set due_at = to_timestamp(${now + laterMs} / 1000.0), waits_for = ${waitsFor}, place = null, under_way = null
      where tenant = ${tenant} and id = ${id}`.execute(tx);
}

async function forgetPerson(eraser: Eraser, person: string, holds: Holds): Promise<WaitsFor | null> {
  if (holds.isTenantHeld || holds.people.includes(person)) return "hold";
  await forgetMemory(eraser, person, holds);
  await emptyCases(eraser, person, holds);
  return whatIsLeft(eraser, person);
}

async function forgetMemory(eraser: Eraser, person: string, holds: Holds): Promise<void> {
  const { tx, tenant } = eraser;
  const { rows } = await sql<{ decision_id: string }>`
    select distinct decision_id from countersign.memory
    where tenant = ${tenant} and (owner = ${person} or on_behalf_of = ${person})`.execute(tx);
  const held = await heldDecisions({ tx, tenant, decisionIds: rows.map(({ decision_id }) => decision_id) }, holds);
  await sql`
    delete from countersign.memory
    where tenant = ${tenant} and (owner = ${person} or on_behalf_of = ${person}) and decision_id <> all (${held}::uuid[])`.execute(
    tx,
  );
}

/** Of cases that have ended: theirs, and what they told those of others; not what was told by, or to a case of, somebody who is held. */
async function emptyCases({ tx, tenant }: Eraser, person: string, { people }: Holds): Promise<void> {
  await sql`
    update countersign.case_event set body = ''
    from countersign.case_run run
    where case_event.tenant = ${tenant} and case_event.body <> '' and case_event.by_principal <> all (${people}::text[])
      and run.tenant = case_event.tenant and run.id = case_event.run_id and run.state = 'ended'
      and ${person} in (case_event.by_principal, run.started_by, run.on_behalf_of)
      and run.started_by <> all (${people}::text[]) and coalesce(run.on_behalf_of <> all (${people}::text[]), true)`.execute(tx);
  await sql`
    update countersign.case_run set body = ''
    where tenant = ${tenant} and body <> '' and state = 'ended' and ${person} in (started_by, on_behalf_of)
      and started_by <> all (${people}::text[]) and coalesce(on_behalf_of <> all (${people}::text[]), true)`.execute(tx);
}

/** After all went that may go: what has ended and is still there is held, and what runs holds something of theirs. */
async function whatIsLeft({ tx, tenant }: Eraser, person: string): Promise<WaitsFor | null> {
  const { rows } = await sql<{ held: boolean; runs: boolean }>`
    with theirs as (
      select state from countersign.case_run
      where tenant = ${tenant} and (state <> 'ended' or body <> '') and ${person} in (started_by, on_behalf_of)
      union all
      select run.state from countersign.case_event told
      join countersign.case_run run on run.tenant = told.tenant and run.id = told.run_id
      where told.tenant = ${tenant} and told.body <> '' and ${person} in (told.by_principal, run.started_by, run.on_behalf_of)
    )
    select exists (select from theirs where state <> 'ended') as runs,
      exists (select from theirs where state = 'ended') or exists (
        select from countersign.memory where tenant = ${tenant} and (owner = ${person} or on_behalf_of = ${person})) as held`.execute(
    tx,
  );
  const [left] = rows;
  if (left?.held === true) return "hold";
  return left?.runs === true ? "case" : null;
}
