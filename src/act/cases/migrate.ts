import type { AnyCase, CaseStep, MovedCase } from "../../contract/case.ts";
import type { Json } from "../../contract/json.ts";
import type { Heir } from "./definitions.ts";
import { enterStep } from "./enter.ts";
import { reasonOf, tellOwner } from "./leave-to-owner.ts";
import { byDefinition, fitted, type Run, stepNamed } from "./run.ts";
import { changeRun, type RunChange, recordMove } from "./save.ts";

/**
 * Takes a case over to a newer definition by its written step; says whether the case was moved or changed by that.
 * What the case waits for stays: a decision that was asked for is not asked for again, since somebody may be signing it right now. So
 * where the written step puts it at another step while a decision or another case is under way, it is taken over when that has ended.
 */
export async function migrate(run: Run, heir: Heir): Promise<boolean> {
  const { row } = run;
  if (row.migration_tried === heir.one.version) return false;
  if (row.n === 0) {
    await changeRun(run, { ...unstuck, version: heir.one.version, step: heir.one.start, due_at: new Date(run.now) });
    return true;
  }
  const moved = await movedBy(run, heir).catch(reasonOf);
  if (moved instanceof Error) {
    await tellOwner(run, "migration_failed", { migration_tried: heir.one.version });
    return true;
  }
  const next: Run = { ...run, body: { ...run.body, data: moved.data } };
  // What was left to its owner is begun again under the new definition, which may be there for just that.
  const isSame = row.stuck !== "begin" && moved.step === row.step && keepsWaiting(run, stepNamed(heir.one, moved.step));
  if (!isSame && isUnderWay(run)) {
    await changeRun(run, { migration_tried: heir.one.version });
    return false;
  }
  if (isSame) await takeOverAt(run, next, heir.one);
  else await enterStep(await changeRun(run, {}, next.body), enteringBy(run, heir.one, moved.step));
  return true;
}

function enteringBy({ row }: Run, one: AnyCase, to: string): Parameters<typeof enterStep>[1] {
  return { one, to, draft: { kind: "migrated", from_step: row.step } };
}

async function movedBy({ row, body }: Run, { one, migration }: Heir): Promise<MovedCase> {
  const { step, data } = byDefinition(() => migration.step({ step: row.step, data: body.data }));
  stepNamed(one, step);
  return { step, data: await fitted(one.data, data) };
}

/** The case stays where it is, under the new definition: a wait listens to what that one names, and its time stays. */
async function takeOverAt(run: Run, next: Run, one: AnyCase): Promise<void> {
  const step = stepNamed(one, run.row.step);
  const awaits = step.kind === "wait" ? [...(step.events ?? [])] : [];
  const owner = (step.kind === "end" ? undefined : step.owner) ?? one.owner;
  // What its old definition failed on is looked at again.
  const stood = run.row.stuck === null ? {} : { ...unstuck, seen: null, due_at: new Date(run.now) };
  const taken = await changeRun(run, { version: one.version, owner, migration_tried: null, ...stood, awaits }, next.body);
  await recordMove(taken, { kind: "migrated", from_step: run.row.step });
}

const unstuck = { state: "running", stuck: null, code: null, awaits: [] } satisfies RunChange;

/** A decision that was asked for and has not ended a step, or other cases. */
function isUnderWay({ row }: Run): boolean {
  if (row.stuck === "begin") return false;
  const isWait = row.awaits.length > 0 || row.until_at !== null;
  return row.wanted_id !== null || row.decision_id !== null || !isWait;
}

/** Whether a step of the new definition waits for the same kind of thing as the case does. */
function keepsWaiting({ row }: Run, step: CaseStep<Json, string>): boolean {
  if (row.wanted_id !== null || row.decision_id !== null) return step.kind === "decide";
  const isWait = row.awaits.length > 0 || row.until_at !== null;
  return isWait ? step.kind === "wait" : step.kind === "all" || step.kind === "plan";
}
