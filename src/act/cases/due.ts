import { sql } from "kysely";
import type { Tx } from "../../store/database.ts";
import type { CaseRunRow } from "../../store/tables.ts";
import type { Definitions } from "./definitions.ts";

/** Most cases of one look; the rest come with the next. */
export const mostDue = 64;

/**
 * The cases that can move now, of all tenants. Asked of what stands in the tables: a time that has come, an event that is awaited, a
 * decision that was made or at which something happened, a definition that takes over, a deadline. So nothing is lost with a message.
 */
export async function dueCases(
  tx: Tx,
  { now, definitions }: { now: number; definitions: Definitions },
): Promise<readonly { readonly tenant: string; readonly id: string }[]> {
  const { movable } = definitions;
  const at = new Date(now);
  const { rows } = await sql<{ tenant: string; id: string }>`
    select run.tenant, run.id from countersign.case_run run
    left join unnest(${movable.map(({ name }) => name)}::text[], ${movable.map(({ version }) => version)}::text[],
      ${movable.map(({ heir }) => heir)}::text[]) as known (name, version, heir)
      on known.name = run.case_name and known.version = run.version
    where run.state <> 'ended' and (run.deadline_at <= ${at} or known.name is not null and (
      run.due_at <= ${at}
      or run.awaits <> '{}' and exists (select from countersign.case_event event
        where event.tenant = run.tenant and event.run_id = run.id and event.taken_place is null and event.name = any (run.awaits))
      or known.heir is not null and known.heir is distinct from run.migration_tried
      or run.stuck is null and run.decision_id is not null and run.seen is distinct from ${markOf}
      or run.stuck is null and run.decision_id is null and exists (select from countersign.wanted
        where wanted.tenant = run.tenant and wanted.id = run.wanted_id and wanted.state <> 'waiting')))
    order by run.due_at nulls last, run.id limit ${mostDue}`.execute(tx);
  return rows;
}

// The mark of a run's decision, as `ledger/mark.ts` reads it for one.
const markOf = sql`concat_ws(' ',
  (select count(*) from countersign.entry where entry.tenant = run.tenant and entry.decision_id = run.decision_id
    and entry.kind not in ('decided', 'stopped')),
  (select string_agg(operation.id::text || ' ' || operation.state, ' ' order by operation.id) from countersign.operation
    where operation.tenant = run.tenant and operation.decision_id = run.decision_id))`;

/** Locks a case that has not ended; `null` where it has, or where somebody else moves it right now. */
export async function lockRun(tx: Tx, { tenant, id }: { tenant: string; id: string }): Promise<CaseRunRow | null> {
  const row = await tx
    .selectFrom("case_run")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("id", "=", id)
    .where("state", "<>", "ended")
    // Events and parts refer to this row; they need not wait for a move.
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row ?? null;
}
