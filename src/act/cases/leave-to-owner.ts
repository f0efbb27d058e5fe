import { type CountersignError, type ErrorCode, isCountersignError } from "../../contract/errors.ts";
import { retryEvent } from "../../ledger/cases/open-cases.ts";
import { writeNotices } from "../../ledger/notices.ts";
import type { Run } from "./run.ts";
import { changeRun, type RunChange, recordMove } from "./save.ts";

/**
 * Leaves a case to its owner, who is told: nothing moves it until a person has its step begun again (`begin`), or looked at again
 * (`look`, where what it waited for is there and the definition's own code failed on it).
 */
export async function leaveToOwner(run: Run, { stuck, code }: { stuck: "begin" | "look"; code: string }): Promise<void> {
  const forgotten = stuck === "begin" ? { wanted_id: null, decision_id: null, seen: null } : {};
  await tellOwner(run, code, { ...forgotten, stuck, awaits: [retryEvent], due_at: null, deadline_at: null });
}

/** Tells the owner that a case is late. It goes on when what it waits for comes. */
export async function tellLate(run: Run): Promise<void> {
  const { row, now } = run;
  const isWholeLate = row.case_deadline_at !== null && row.case_deadline_at.getTime() <= now;
  const whole = isWholeLate ? null : row.case_deadline_at;
  await tellOwner(run, "deadline", { case_deadline_at: whole, deadline_at: whole });
}

/** Tells the owner of a fault, of which the case shows the code; it is escalated from now on, until it enters a step. */
export async function tellOwner(run: Run, code: string, change: RunChange): Promise<void> {
  const { tx } = run;
  const left = await changeRun(run, { ...change, state: "escalated", code });
  const { tenant, id: caseId, decision_id: decisionId, owner } = left.row;
  const { id: entryId } = await recordMove(left, { kind: "escalated", code, decision_id: decisionId });
  const to = { kind: "owner", name: owner } as const;
  await writeNotices({ tx, notices: [{ tenant, kind: "escalated", decisionId, entryId, caseId, to }] });
}

/** What a definition's own code did wrong; anything else is thrown on, and the move is tried again. */
export function reasonOf(thrown: unknown): CountersignError {
  if (isCountersignError(thrown) && own.has(thrown.code)) return thrown;
  throw thrown;
}

/** What trying again would not mend. `key_conflict`: a part's key is taken, which in a step that is begun again is another one. */
const own: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(["definition_invalid", "too_large", "payload_unreadable", "unserialisable", "key_conflict"] as const),
]);
