import { sql } from "kysely";
import type { EffectTask } from "../approve/effect-task.ts";
import type { Tx } from "../store/database.ts";

/** Whether every effect before this one was seen complete: effects of a proposal start in listed order. */
export async function isTurnOf(tx: Tx, { tenant, decisionId, effectIndex }: EffectTask): Promise<boolean> {
  if (effectIndex === 0) return true;
  // The case keeps bodies that others wrote from being parsed at all.
  const { rows } = await sql<{ seen: string }>`
    select count(distinct body::json ->> 'effectIndex') as seen from entry
    where tenant = ${tenant} and decision_id = ${decisionId} and case when kind = 'observed' and writer = 'acting'
      then body::json ->> 'verdict' = 'complete' and (body::json ->> 'effectIndex')::int < ${effectIndex} else false end`.execute(
    tx,
  );
  return Number(rows[0]?.seen) === effectIndex;
}
