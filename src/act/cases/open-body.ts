import { isCountersignError } from "../../contract/errors.ts";
import { nothing } from "../../contract/principal.ts";
import { openRunBody, type RunBody } from "../../ledger/cases/run-body.ts";
import type { CaseRunRow } from "../../store/tables.ts";
import { holdRun } from "./due.ts";
import { leaveToOwner } from "./leave-to-owner.ts";
import type { Casing, Run } from "./run.ts";

/** Opens the body of a case; `null` where it does not open, or is not the row's. */
export function openBody(row: CaseRunRow, { keys }: Casing): RunBody | null {
  try {
    return openRunBody(row, { keys });
  } catch (thrown) {
    if (isCountersignError(thrown, "payload_unreadable")) return null;
    throw thrown;
  }
}

/** Leaves a case whose body does not open to its owner, once; says whether it was left now. */
export async function leaveUnreadable(run: Run): Promise<boolean> {
  if (run.row.stuck !== null) {
    // It may be told to go on, and cannot: looked at again later, so that it stands in nobody's way.
    await holdRun(run.tx, { ...run.row, now: run.now });
    return false;
  }
  await leaveToOwner(run, { stuck: "look", code: "payload_unreadable" });
  return true;
}

/** What stands for a body that does not open: nobody's roles and no data. */
export function unreadable({ tenant, started_by: id, on_behalf_of: onBehalfOf }: CaseRunRow): RunBody {
  return {
    principal: { tenant, id, roles: [], attributes: {}, onBehalfOf, allow: nothing },
    input: null,
    given: null,
    data: null,
  };
}
