import { openAccounts } from "../../approve/accounts.ts";
import type { AnyCase } from "../../contract/case.ts";
import { retryEvent } from "../../ledger/cases/open-cases.ts";
import type { RunBody } from "../../ledger/cases/run-body.ts";
import { holdRun, lockRun } from "./due.ts";
import { enterStep } from "./enter.ts";
import { leaveToOwner, reasonOf, tellLate } from "./leave-to-owner.ts";
import { type Look, lookAt } from "./look.ts";
import { migrate } from "./migrate.ts";
import { leaveUnreadable, openBody, unreadable } from "./open-body.ts";
import { byDefinition, type Casing, fitted, type Run, stepNamed } from "./run.ts";
import { changeRun, recordMove, takeEvent } from "./save.ts";

/**
 * Moves one case by at most one step, in one transaction under its lock: the step that is left, what it led to and what the next one
 * sets off are there together or not at all. Where whoever started it is active no more, it moves no further and is left to its owner.
 * Says whether anything was changed.
 */
export async function moveCase(casing: Casing, { tenant, id }: { tenant: string; id: string }): Promise<boolean> {
  return casing.database.inTenant(tenant, async (tx) => {
    const row = await lockRun(tx, { tenant, id });
    if (row === null) return false;
    const now = await casing.storeTime(tx);
    const body = openBody(row, casing);
    const { principal } = body ?? unreadable(row);
    const starter = body === null ? null : await openAccounts({ tx, tenant, rolesFrom: casing.rolesFrom }).now(principal);
    const run: Run = { tx, casing, row, now, body: body ?? unreadable(row), starter: starter ?? principal };
    if (body === null) return leaveUnreadable(run);
    return starter === null ? leaveStarterless(run) : moveRun(run);
  });
}

async function moveRun(run: Run): Promise<boolean> {
  const { row, casing } = run;
  const on = { name: row.case_name, version: row.version };
  const heir = casing.definitions.heirOf(on);
  if (heir !== null && (await migrate(run, heir))) return true;
  const one = casing.definitions.of(on);
  // No definition here: only its deadline is looked after.
  if (one === undefined) return lateOr(run, {});
  if (row.n === 0) return begin(run, one);
  if (row.stuck !== null) return resumeOr(run, one);
  const step = stepNamed(one, row.step);
  if (step.kind === "end") return false;
  const look = await lookAt(run, step).catch(reasonOf);
  if (look instanceof Error) {
    await leaveToOwner(run, { stuck: "look", code: look.code });
    return true;
  }
  if (look.kind === "waiting") return lateOr(run, look.change);
  await leave(run, one, look);
  return true;
}

/** Whoever started it is nobody any more. What it waited for is kept: a person has it looked at again where they come back. */
async function leaveStarterless(run: Run): Promise<boolean> {
  const { tx, row, now } = run;
  const isKept = row.stuck !== null && row.code === starterInactive;
  // Somebody has it go on, and it cannot: looked at again later, so that it stands in nobody's way.
  if (isKept) await holdRun(tx, { ...row, now });
  else await leaveToOwner(run, { stuck: row.stuck ?? "look", code: starterInactive });
  return !isKept;
}

const starterInactive = "starter_inactive";

async function begin(run: Run, one: AnyCase): Promise<boolean> {
  const { row, now, body, starter, casing } = run;
  // The desk asked this before; its role alone could write a case that nobody may start. A part is begun for whoever began the whole.
  if (row.parent_id === null && casing.rules.mayStart(starter, one).kind === "refused") {
    await leaveToOwner(run, { stuck: "begin", code: "forbidden" });
    return true;
  }
  const started = { input: body.input, at: now, key: row.key, startedBy: row.started_by };
  const data = await computed(() =>
    fitted(
      one.data,
      byDefinition(() => one.begin(started)),
    ),
  );
  if (data instanceof Error) {
    await leaveToOwner(run, { stuck: "begin", code: data.code });
    return true;
  }
  const begun = await changed(run, { ...body, data });
  if (begun === null) return true;
  await enterStep(begun, { one, to: one.start, draft: { kind: "entered" } });
  return true;
}

async function leave(run: Run, one: AnyCase, look: Extract<Look, { kind: "ended" }>): Promise<void> {
  const { move, outcome, decisionId, eventId, code } = look;
  const step = stepNamed(one, run.row.step);
  if (move === null) return leaveToOwner(run, { stuck: "begin", code: code ?? "no_way_on" });
  const ways = step.kind === "end" ? [] : step.to;
  if (!ways.includes(move.to)) return leaveToOwner(run, { stuck: "look", code: "definition_invalid" });
  const { data = run.body.data } = move;
  const kept = data === run.body.data ? data : await computed(() => fitted(one.data, data));
  if (kept instanceof Error) return leaveToOwner(run, { stuck: "look", code: kept.code });
  const next = kept === run.body.data ? run : await changed(run, { ...run.body, data: kept });
  if (next === null) return;
  const edge = { from_step: run.row.step, outcome, decision_id: decisionId, event_id: eventId, code };
  await enterStep(next, { one, to: move.to, draft: { kind: "entered", ...edge } });
}

/** The case with its new data; `null` where these are too large to be kept, and it was left to its owner. */
async function changed(run: Run, body: RunBody): Promise<Run | null> {
  const next = await changeRun(run, {}, body).catch(reasonOf);
  if (!(next instanceof Error)) return next;
  await leaveToOwner(run, { stuck: "look", code: next.code });
  return null;
}

function computed<T>(compute: () => Promise<T>) {
  return compute().catch(reasonOf);
}

/** A person has the step begun again, or looked at again; without one only the deadline is looked after. */
async function resumeOr(run: Run, one: AnyCase): Promise<boolean> {
  const { tx, row, now } = run;
  const event = await tx
    .selectFrom("case_event")
    .select("id")
    .where("tenant", "=", row.tenant)
    .where("run_id", "=", row.id)
    .where("name", "=", retryEvent)
    .where("taken_place", "is", null)
    .orderBy("n")
    .executeTakeFirst();
  if (event === undefined) return lateOr(run, {});
  const again = { kind: "resumed", from_step: row.step, event_id: event.id } as const;
  if (row.stuck === "begin" && row.n > 0) {
    await enterStep(run, { one, to: row.step, draft: again });
    return true;
  }
  const step = stepNamed(one, row.step);
  const awaits = step.kind === "wait" && row.n > 0 ? [...(step.events ?? [])] : [];
  const resumed = await changeRun(run, { state: "running", stuck: null, code: null, awaits, seen: null, due_at: new Date(now) });
  const { place } = await recordMove(resumed, again);
  await takeEvent(resumed, { eventId: event.id, place });
  return true;
}

async function lateOr(run: Run, change: Parameters<typeof changeRun>[1]): Promise<boolean> {
  const { row, now } = run;
  const waiting = await changeRun(run, { ...change, due_at: row.stuck === null ? row.until_at : null });
  if (row.deadline_at === null || row.deadline_at.getTime() > now) return false;
  await tellLate(waiting);
  return true;
}
