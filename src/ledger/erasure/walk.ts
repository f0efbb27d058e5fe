// Retention: walks the outcomes of a tenant once, in their settled order, and has ended what is kept beyond its days. What has more days
// than the fewest, and what is still needed, becomes a row that is due later.
import { sql } from "kysely";
import type { WaitsFor } from "./busy.ts";
import { type ErasedPart, type Eraser, eraseBodies } from "./erase.ts";
import { lockPlace, movePlace, type Place } from "./place.ts";
import { type DeclaredRetention, type Rules, readRules } from "./rules.ts";

/** How long something that could not be erased is left alone, in milliseconds. */
export const laterMs = 3_600_000;
const dayMs = 86_400_000;
const pageSize = 100;

interface Outcome extends Place {
  readonly decision_id: string;
  readonly capability: string | null;
  readonly ts: string;
}

/** One group of a tenant's outcomes. Returns how many erasures were written, and whether there are more to look at at once. */
export async function walkOutcomes(
  part: ErasedPart,
  eraser: Eraser,
  declared: DeclaredRetention,
): Promise<{ readonly erased: number; readonly isMore: boolean }> {
  const { tx, tenant, now } = eraser;
  const rules = await readRules({ tx, tenant, part }, declared);
  await forgetOldRules(eraser, { part, version: rules.version });
  if (rules.fewest === null) return { erased: 0, isMore: false };
  const reader = readerOf({ part, version: rules.version });
  const place = await lockPlace(eraser, reader);
  if (place === undefined) return { erased: 0, isMore: false };
  const page = await readOutcomes(eraser, place);
  const before = now - rules.fewest * dayMs;
  // What is younger ends the walk: everything behind it is younger too, up to the difference of two clocks.
  const end = page.findIndex(({ ts }) => Number(ts) >= before);
  const old = end === -1 ? page : page.slice(0, end);
  const erased = await endOrPutOff({ old, part, rules, eraser });
  const last = old.at(-1);
  if (last !== undefined) await movePlace(eraser, { reader, last });
  return { erased, isMore: old.length === pageSize };
}

async function endOrPutOff({
  old,
  part,
  rules,
  eraser,
}: {
  old: readonly Outcome[];
  part: ErasedPart;
  rules: Rules;
  eraser: Eraser;
}): Promise<number> {
  const dueAt = ({ capability, ts }: Outcome): number | null => {
    const days = rules.daysOf(capability ?? "");
    return days === null ? null : Number(ts) + days * dayMs;
  };
  const due = old.filter((one) => (dueAt(one) ?? Number.POSITIVE_INFINITY) <= eraser.now);
  const group = due.map(({ decision_id }) => ({ decisionId: decision_id, part, why: "retention", reason: null }) as const);
  const { left, erased } = await eraseBodies(group, eraser);
  const later = old.flatMap((one): PutOff[] => {
    const at = dueAt(one);
    if (at === null) return [];
    const waitsFor = left.get(one.decision_id);
    if (waitsFor !== undefined) return [{ decisionId: one.decision_id, dueAt: eraser.now + laterMs, waitsFor }];
    return at > eraser.now ? [{ decisionId: one.decision_id, dueAt: at, waitsFor: null }] : [];
  });
  await putOff(later, { part, version: rules.version }, eraser);
  return erased;
}

interface PutOff {
  readonly decisionId: string;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly dueAt: number;
  readonly waitsFor: WaitsFor | null;
}

async function putOff(later: readonly PutOff[], { part, version }: Walk, { tx, tenant }: Eraser): Promise<void> {
  if (later.length === 0) return;
  await sql`
    insert into countersign.erasure (tenant, part, why, decision_id, due_at, waits_for, rules)
    select ${tenant}, ${part}, 'retention', made."decisionId", to_timestamp(made."dueAt" / 1000.0), made."waitsFor", ${version}
    from json_to_recordset(${JSON.stringify(later)}::json) as made ("decisionId" uuid, "dueAt" bigint, "waitsFor" text)
    on conflict do nothing`.execute(tx);
}

interface Walk {
  readonly part: ErasedPart;
  /** Of the rules: other rules are walked from the beginning. */
  readonly version: string;
}

const readerOf = ({ part, version }: Walk): string => `retention ${part} ${version}`;

/**
 * Workers with other rules, such as an older project, walk beside each other, each with a place and with what it put off of its own. What
 * nobody has walked for a day is of rules that are gone: it goes, and rules that come back are walked from the beginning.
 */
async function forgetOldRules({ tx, tenant, now }: Eraser, walk: Walk): Promise<void> {
  const gone = await sql`
    delete from countersign.progress
    where tenant = ${tenant} and starts_with(reader, ${`retention ${walk.part} `}) and reader <> ${readerOf(walk)}
      and seen_at < to_timestamp(${now - dayMs} / 1000.0)`.execute(tx);
  if ((gone.numAffectedRows ?? 0n) === 0n) return;
  await sql`
    delete from countersign.erasure where tenant = ${tenant} and part = ${walk.part} and rules <> '' and rules <> ${walk.version}
      and not exists (select from countersign.progress
        where progress.tenant = erasure.tenant and progress.reader = 'retention ' || erasure.part || ' ' || erasure.rules)`.execute(
    tx,
  );
}

async function readOutcomes({ tx, tenant }: Eraser, { xid, n }: Place): Promise<readonly Outcome[]> {
  const { rows } = await sql<Outcome>`
    select decision_id, capability, ts, xid::text as xid, n::text as n from countersign.entry
    where tenant = ${tenant} and (xid, n) > (${xid}::xid8, ${n}::bigint) and kind in ('decided', 'stopped')
      and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by entry.xid, entry.n limit ${pageSize}`.execute(tx);
  return rows;
}
