import { sql } from "kysely";
import type { Tx } from "../../store/database.ts";
import type { CaseRunRow } from "../../store/tables.ts";
import type { Definitions } from "./definitions.ts";

/** Most cases of one look; the rest come with the next. */
export const mostDue = 64;

/**
 * The cases that can move now, of all tenants. Asked of what stands in the tables: a time that has come, an event that is awaited, a
 * decision that was made or at which something happened, a definition that takes over, a deadline. So nothing is lost with a message.
 * Each tenant has its turn before any has its next, and of each that case first which was longest not moved: no tenant's cases, and no
 * kind of waiting, come after all others.
 */
export async function dueCases(
  tx: Tx,
  { now, definitions }: { now: number; definitions: Definitions },
): Promise<readonly { readonly tenant: string; readonly id: string }[]> {
  const { movable } = definitions;
  const at = new Date(now);
  const { rows } = await sql<{ tenant: string; id: string }>`
    select tenant, id from countersign.due_cases(${at}, ${movable.map(({ name }) => name)}::text[],
      ${movable.map(({ version }) => version)}::text[], ${movable.map(({ heir }) => heir)}::text[], ${mostDue})`.execute(tx);
  return rows;
}

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

/**
 * Lets a case rest that could not be moved: for a second, then twice as long each time, at most five minutes. Whatever changes of it
 * ends the rest.
 */
export async function holdRun(tx: Tx, { tenant, id, now }: { tenant: string; id: string; now: number }): Promise<void> {
  const at = new Date(now);
  await sql`update countersign.case_run set changed_at = ${at}, held_until = ${at}::timestamptz
    + least(interval '5 minutes', greatest(interval '1 second', 2 * (held_until - changed_at)))
    where tenant = ${tenant} and id = ${id} and state <> 'ended'`.execute(tx);
}
