import type { CaseLine, CaseMoveView, CaseView, CaseWaits } from "../../contract/case-view.ts";
import type { Json } from "../../contract/json.ts";
import type { Tx } from "../../store/database.ts";
import type { CaseRunRow, CaseStepRow } from "../../store/tables.ts";

/** A case's row as a line of a list. */
export function lineOf(row: CaseRunRow): CaseLine {
  return {
    id: row.id,
    tenant: row.tenant,
    case: row.case_name,
    version: row.version,
    key: row.key,
    state: row.state,
    outcome: row.outcome,
    isFailure: row.is_failure,
    step: row.step,
    waitsFor: waitsOf(row),
    owner: row.owner,
    startedBy: row.started_by,
    onBehalfOf: row.on_behalf_of,
    startedAt: row.created_at.getTime(),
    deadlineAt: row.deadline_at?.getTime() ?? null,
    code: row.code,
    parentId: row.parent_id,
  };
}

/** A case with its moves and its parts; what it holds is given, since not everybody sees it. */
export async function viewCase(tx: Tx, row: CaseRunRow, data: Json): Promise<CaseView> {
  const { tenant, id } = row;
  const moves = await tx
    .selectFrom("case_step")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("run_id", "=", id)
    .orderBy("place")
    .execute();
  const parts = await tx
    .selectFrom("case_run")
    .select(["id", "branch", "case_name", "state"])
    .where("tenant", "=", tenant)
    .where("parent_id", "=", id)
    .orderBy("id")
    .execute();
  return {
    ...lineOf(row),
    data,
    moves: moves.map(moveOf),
    parts: parts.map((part) => ({ id: part.id, name: part.branch ?? "", case: part.case_name, state: part.state })),
  };
}

function waitsOf(row: CaseRunRow): CaseWaits | null {
  if (row.state === "ended") return null;
  if (row.stuck !== null) return { kind: "person" };
  if (row.n === 0) return { kind: "worker" };
  if (row.wanted_id !== null || row.decision_id !== null) return { kind: "decision", decisionId: row.decision_id };
  const until = row.until_at?.getTime() ?? null;
  if (row.awaits.length > 0 || until !== null) return { kind: "event", events: row.awaits, until };
  return { kind: "cases" };
}

function moveOf(row: CaseStepRow): CaseMoveView {
  const { place, kind, version, step, outcome, code } = row;
  const frame = { place, kind, version, step, outcome, code };
  return { ...frame, from: row.from_step, decisionId: row.decision_id, at: row.at.getTime() };
}
