// What is written of a decision after it was erased, such as the reason of whoever rejected it, would be kept for ever: the walk over
// outcomes has passed it. A second walk, over what follows outcomes, puts such a decision down to be erased again.
import { sql } from "kysely";
import type { Eraser } from "./erase.ts";
import { waitForErasing } from "./holds.ts";
import { lockPlace, movePlace, type Place } from "./place.ts";

const reader = "retention late";
const pageSize = 500;

interface Entry extends Place {
  readonly id: string;
  readonly decision_id: string | null;
  readonly kind: string;
}

/** Looks through one page of entries. Erases nothing itself; returns as `walkOutcomes` does. */
export async function walkLate(eraser: Eraser): Promise<{ readonly erased: number; readonly isMore: boolean }> {
  const place = await lockPlace(eraser, reader);
  if (place === undefined) return { erased: 0, isMore: false };
  const page = await readPage(eraser, place);
  const following = page.filter(({ kind }) => !notFollowing.has(kind));
  if (following.length > 0) await putDownErased(eraser, following);
  const last = page.at(-1);
  if (last !== undefined) await movePlace(eraser, { reader, last });
  return { erased: 0, isMore: page.length === pageSize };
}

/** Outcomes, and what says of an erasure why it was done. */
const notFollowing: ReadonlySet<string> = new Set(["decided", "stopped", "erased"]);

async function readPage({ tx, tenant }: Eraser, { xid, n }: Place): Promise<readonly Entry[]> {
  const { rows } = await sql<Entry>`
    select id, decision_id, kind, xid::text as xid, n::text as n from countersign.entry
    where tenant = ${tenant} and (xid, n) > (${xid}::xid8, ${n}::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by entry.xid, entry.n limit ${pageSize}`.execute(tx);
  return rows;
}

/** One that erases at this moment may not have seen these entries: it is waited for, and whoever comes later sees them. */
async function putDownErased(eraser: Eraser, following: readonly Entry[]): Promise<void> {
  const { tx, tenant } = eraser;
  await waitForErasing(eraser);
  const decisionIds = [...new Set(following.flatMap(({ decision_id }) => decision_id ?? []))];
  const { rows: outcomes } = await sql<{ id: string; decision_id: string }>`
    select id, decision_id from countersign.entry
    where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[]) and kind in ('decided', 'stopped')`.execute(tx);
  const erased = await payloadsOf(eraser, { ids: outcomes.map(({ id }) => id), isErased: true });
  if (erased.size === 0) return;
  const kept = await payloadsOf(eraser, { ids: following.map(({ id }) => id), isErased: false });
  const late = new Set(following.filter(({ id }) => kept.has(id)).map(({ decision_id }) => decision_id));
  const due = outcomes.filter(({ id, decision_id }) => erased.has(id) && late.has(decision_id));
  await sql`
    insert into countersign.erasure (tenant, part, why, decision_id)
    select ${tenant}, 'payload', 'retention', id from unnest(${due.map(({ decision_id }) => decision_id)}::uuid[]) as id
    on conflict do nothing`.execute(tx);
}

async function payloadsOf(
  { tx, tenant }: Eraser,
  { ids, isErased }: { ids: readonly string[]; isErased: boolean },
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ entry_id: string }>`
    select entry_id from countersign.payload
    where tenant = ${tenant} and entry_id = any (${ids}::uuid[]) and (body is null) = ${isErased}`.execute(tx);
  return new Set(rows.map(({ entry_id }) => entry_id));
}
