import { sql } from "kysely";
import type { WaitsFor } from "./busy.ts";
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

/** What of what is due is carried out. */
export interface DueOf {
  /** The rules, by their versions, under which something was put off: what others put off is theirs. */
  readonly rules: readonly string[];
  /** Of these decisions alone what somebody asked for; all that is due where it is `null`. */
  readonly asked: readonly string[] | null;
}

/** The whole first: of what is gone there are no inputs to end. */
export const partsInOrder: readonly ErasedPart[] = ["payload", "inputs"];

/** Carries out what is due of single decisions, in one group; what cannot be erased yet is due again later. Returns as `walkOutcomes` does. */
export async function eraseDue(eraser: Eraser, of: DueOf): Promise<{ readonly erased: number; readonly isMore: boolean }> {
  const { tx, tenant, now } = eraser;
  const { rows } = await sql<DueRow>`
    select id, part, why, decision_id, reason from countersign.erasure
    where tenant = ${tenant} and decision_id is not null and due_at <= to_timestamp(${now} / 1000.0)
      and rules = any (${["", ...of.rules]}::text[])
      and (${of.asked}::uuid[] is null or (why = 'request' and decision_id = any (${of.asked}::uuid[])))
    order by due_at, id limit ${pageSize} for update skip locked`.execute(tx);
  let sum = 0;
  for (const part of partsInOrder) {
    const ours = rows.filter((row) => row.part === part);
    const { left, erased } = await eraseBodies(onceEach(ours), eraser);
    sum += erased;
    const gone = ours.filter(({ decision_id }) => !left.has(decision_id));
    await forgetMemory(eraser, gone);
    await sql`
      delete from countersign.erasure where tenant = ${tenant} and id = any (${gone.map(({ id }) => id)}::uuid[])`.execute(tx);
    for (const [decisionId, waitsFor] of left) await leave(eraser, { rows: ours, decisionId, waitsFor });
  }
  return { erased: sum, isMore: rows.length === pageSize };
}

/** A decision whose days are over and that somebody asked for is erased once, because somebody asked. */
function onceEach(rows: readonly DueRow[]) {
  const inOrder = rows.toSorted((a, b) => Number(a.why === "request") - Number(b.why === "request"));
  const each = new Map(inOrder.map((row) => [row.decision_id, row]));
  return [...each.values()].map(({ decision_id, part, why, reason }) => ({ decisionId: decision_id, part, why, reason }));
}

async function leave(
  { tx, tenant, now }: Eraser,
  { rows, decisionId, waitsFor }: { rows: readonly DueRow[]; decisionId: string; waitsFor: WaitsFor },
): Promise<void> {
  const ids = rows.filter(({ decision_id }) => decision_id === decisionId).map(({ id }) => id);
  await sql`
    update countersign.erasure set due_at = to_timestamp(${now + laterMs} / 1000.0), waits_for = ${waitsFor}
    where tenant = ${tenant} and id = any (${ids}::uuid[])`.execute(tx);
}

/** What was remembered of a decision goes with it where somebody asked for that; memory has an end of its own else. */
async function forgetMemory({ tx, tenant }: Eraser, gone: readonly DueRow[]): Promise<void> {
  const asked = gone.filter(({ why, part }) => why === "request" && part === "payload").map(({ decision_id }) => decision_id);
  if (asked.length === 0) return;
  await sql`delete from countersign.memory where tenant = ${tenant} and decision_id = any (${asked}::uuid[])`.execute(tx);
}
