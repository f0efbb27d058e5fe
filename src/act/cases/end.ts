import type { EndStep } from "../../contract/case.ts";
import { askers, writeNotices } from "../../ledger/notices.ts";
import type { Run } from "./run.ts";
import { changeRun } from "./save.ts";

/** Ends a case: who started it is told, or the case that it is a part of is looked at again. Events that nobody took up are closed. */
export async function endRun(run: Run, { outcome, isFailure = false }: EndStep): Promise<void> {
  const { tx, now } = run;
  const { tenant, id, parent_id: parentId, started_by: requestedBy, on_behalf_of: onBehalfOf } = run.row;
  const over = { state: "ended", outcome, is_failure: isFailure, deadline_at: null, case_deadline_at: null } as const;
  await changeRun(run, over);
  await tx
    .updateTable("case_event")
    .set({ taken_place: 0 })
    .where("tenant", "=", tenant)
    .where("run_id", "=", id)
    .where("taken_place", "is", null)
    .execute();
  if (parentId === null) {
    const frame = { tenant, kind: "outcome", decisionId: null, entryId: id, caseId: id } as const;
    const notices = askers({ requestedBy, onBehalfOf }).map((to) => ({ ...frame, to }));
    return writeNotices({ tx, notices });
  }
  // Waits for whoever moves it right now. If that one looked before this part had ended, it is due again all the same.
  await tx
    .updateTable("case_run")
    .set({ due_at: new Date(now) })
    .where("tenant", "=", tenant)
    .where("id", "=", parentId)
    .where("state", "<>", "ended")
    .execute();
}
