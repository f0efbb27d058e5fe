import type { Updateable } from "kysely";
import { hashOf, type RunBody, sealRunBody } from "../../ledger/cases/run-body.ts";
import type { CaseStepRow, Tables } from "../../store/tables.ts";
import type { Run } from "./run.ts";

/** What changes of a case's row. */
export type RunChange = Updateable<Tables["case_run"]>;

/** The row of a move, as far as it is not the same for all. */
export type MoveDraft = Pick<CaseStepRow, "kind"> &
  Partial<Pick<CaseStepRow, "from_step" | "outcome" | "decision_id" | "event_id" | "code">>;

/** Changes a case's row in the transaction of its lock, and returns the case as it is then. */
export async function changeRun(run: Run, change: RunChange, body: RunBody = run.body): Promise<Run> {
  const { tx, row, casing, now } = run;
  const of = { tenant: row.tenant, id: row.id, keys: casing.keys };
  const sealed = body === run.body ? {} : { body: sealRunBody(body, of) };
  const changed = await tx
    .updateTable("case_run")
    .set({ held_until: null, ...change, ...sealed, changed_at: new Date(now) })
    .where("tenant", "=", row.tenant)
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...run, row: changed, body };
}

/** Writes down a move of a case as it stands now, and returns the row's id and place. */
export async function recordMove(run: Run, draft: MoveDraft): Promise<{ readonly id: string; readonly place: number }> {
  const { tx, row, casing, now, body } = run;
  const { tenant, id: runId, version, step, n } = row;
  const last = await tx
    .selectFrom("case_step")
    .select("place")
    .where("tenant", "=", tenant)
    .where("run_id", "=", runId)
    .orderBy("place", "desc")
    .limit(1)
    .executeTakeFirst();
  const made = { id: casing.ids.next(), place: (last?.place ?? 0) + 1 };
  const nothing = { from_step: null, outcome: null, decision_id: null, event_id: null, code: null };
  const data_hash = hashOf(body.data, { tenant, keys: casing.keys });
  await tx
    .insertInto("case_step")
    .values({ ...nothing, ...draft, ...made, tenant, run_id: runId, version, step, n, data_hash, at: new Date(now) })
    .execute();
  return made;
}

/** Marks an event as taken up by a move. */
export async function takeEvent({ tx, row }: Run, { eventId, place }: { eventId: string; place: number }): Promise<void> {
  await tx
    .updateTable("case_event")
    .set({ taken_place: place })
    .where("tenant", "=", row.tenant)
    .where("id", "=", eventId)
    .execute();
}
