import { sql } from "kysely";
import type { AnyCase, CaseStep } from "../../contract/case.ts";
import { assertNever, CountersignError } from "../../contract/errors.ts";
import { type Json, toFrozenJson } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import { wantDecision } from "../../ledger/wanted.ts";
import { beginBranches, readyBranches } from "./branches.ts";
import { lastEntryOf, readSteps } from "./decisions.ts";
import { endRun } from "./end.ts";
import { leaveToOwner, reasonOf } from "./leave-to-owner.ts";
import { atOf, byDefinition, type Run, stepNamed } from "./run.ts";
import { changeRun, type MoveDraft, type RunChange, recordMove, takeEvent } from "./save.ts";

type Step = CaseStep<Json, string>;
type Waiting = Exclude<Step, { kind: "end" }>;

/** What a step waits for once it is entered, and what is to be written for that. */
interface Armed {
  readonly change: RunChange;
  readonly begin: () => Promise<void>;
}

const nothingAwaited = {
  ...{ wanted_id: null, decision_id: null, seen: null, awaits: [], until_at: null, due_at: null },
  ...{ stuck: null, code: null, migration_tried: null, state: "running" },
} as const satisfies RunChange;

/** Enters a step: writes the move, and sets off what the step waits for. What its own code does wrong leaves the case to its owner, there. */
export async function enterStep(run: Run, { one, to, draft }: { one: AnyCase; to: string; draft: MoveDraft }): Promise<void> {
  const step = stepNamed(one, to);
  const n = run.row.n + 1;
  const standing = { step: to, n, version: one.version, ...deadlines(run, step, one) };
  const owner = (step.kind === "end" ? undefined : step.owner) ?? one.owner;
  const entered = await changeRun(run, { ...nothingAwaited, ...standing, owner }, run.body);
  const { place } = await recordMove(entered, draft);
  if (draft.event_id != null) await takeEvent(entered, { eventId: draft.event_id, place });
  if (step.kind === "end") return endRun(entered, step);
  const armed = n > limits.caseSteps ? tooLong() : await armedOf(entered, step, draft.from_step ?? null).catch(reasonOf);
  if (armed instanceof CountersignError) return leaveToOwner(entered, { stuck: "begin", code: armed.code });
  const fault = await setOff(entered, armed);
  if (fault !== null) return leaveToOwner(entered, { stuck: "begin", code: fault.code });
  await changeRun(entered, armed.change);
}

/** Begins what a step waits for, all of it or nothing; returns what was wrong with it. */
async function setOff({ tx }: Run, { begin }: Armed): Promise<CountersignError | null> {
  await sql`savepoint step_begins`.execute(tx);
  try {
    await begin();
    return null;
  } catch (thrown) {
    const fault = reasonOf(thrown);
    await sql`rollback to savepoint step_begins`.execute(tx);
    return fault;
  }
}

function deadlines({ row, now }: Run, step: Step, { deadlineMs }: AnyCase): RunChange {
  const isFirst = row.n === 0;
  const whole =
    isFirst && deadlineMs !== null ? row.created_at.getTime() + deadlineMs : (row.case_deadline_at?.getTime() ?? null);
  const own = step.kind !== "end" && step.deadlineMs !== undefined ? now + step.deadlineMs : null;
  const first = own === null || whole === null ? (own ?? whole) : Math.min(own, whole);
  return { case_deadline_at: dateOf(whole), deadline_at: dateOf(first) };
}

/** Asks the step's own code everything before a row is written. */
async function armedOf(run: Run, step: Waiting, handedFrom: string | null): Promise<Armed> {
  const at = atOf(run, await readSteps(run, step.reads ?? []));
  switch (step.kind) {
    case "decide":
      return armDecide(run, {
        capability: step.capability,
        inputs: byDefinition(() => toFrozenJson(step.inputs(at))),
        handedFrom,
      });
    case "wait": {
      const until = step.until === undefined ? null : untilOf(byDefinition(() => step.until?.(at)));
      const change = { awaits: [...(step.events ?? [])], until_at: dateOf(until), due_at: dateOf(until) };
      return { change, begin: async () => {} };
    }
    case "all":
      return armBranches(run, { branches: byDefinition(() => step.branches(at)), cases: step.cases });
    case "plan": {
      const input = byDefinition(() => step.input(at));
      return armBranches(run, { branches: [{ name: "plan", case: step.case, input }], cases: [step.case] });
    }
    default:
      return assertNever(step);
  }
}

function armDecide(
  run: Run,
  { capability, inputs, handedFrom }: { capability: string; inputs: Json; handedFrom: string | null },
): Armed {
  const { tx, row, body, starter, casing } = run;
  const id = casing.ids.next();
  return {
    change: { wanted_id: id },
    begin: async () => {
      const cause = await lastEntryOf(run);
      const wanted = {
        tenant: row.tenant,
        id,
        capability,
        principal: starter,
        inputs,
        given: body.given ?? body.input,
        cause,
        workflow: { caseId: row.id, case: row.case_name, step: row.step, handedFrom, owner: row.owner },
      };
      await wantDecision(tx, wanted, casing.keys);
    },
  };
}

async function armBranches(run: Run, asked: Parameters<typeof readyBranches>[1]): Promise<Armed> {
  const ready = await readyBranches(run, asked);
  // Without branches there is nothing to wait for.
  const change = ready.length === 0 ? { due_at: new Date(run.now) } : {};
  return { change, begin: () => beginBranches(run, ready, run.row.n) };
}

function untilOf(until: unknown): number {
  if (typeof until === "number" && Number.isFinite(until) && Math.abs(until) <= 8.64e15) return Math.round(until);
  throw new CountersignError("definition_invalid", "a step waits until a time that is none");
}

function tooLong(): CountersignError {
  return new CountersignError("too_large", `a case enters at most ${limits.caseSteps} steps`);
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
