import type { BranchEnd, CaseEvent, CaseStep, Move, StepDecision } from "../../contract/case.ts";
import { assertNever } from "../../contract/errors.ts";
import type { Json } from "../../contract/json.ts";
import { openEventBody } from "../../ledger/cases/run-body.ts";
import { readBranches } from "./branches.ts";
import { lookAtDecision, readSteps } from "./decisions.ts";
import { atOf, byDefinition, type Run } from "./run.ts";
import type { RunChange } from "./save.ts";

type Step = CaseStep<Json, string>;
type Waiting = Exclude<Step, { kind: "end" }>;

/** What a look at a step found: it goes on waiting, or it has ended and the definition says where to. */
export type Look =
  | { readonly kind: "waiting"; readonly change: RunChange }
  | {
      readonly kind: "ended";
      /** `null` where the definition knows no way on. */
      readonly move: Move<Json, string> | null;
      /** How it ended, in the words of the hand-off edge. */
      readonly outcome: string;
      readonly decisionId: string | null;
      readonly eventId: string | null;
      readonly code: string | null;
    };

/** Looks whether what a case's step waits for is there, and asks the definition where to go then. Writes nothing. */
export async function lookAt(run: Run, step: Waiting): Promise<Look> {
  switch (step.kind) {
    case "decide":
      return lookAtDecide(run, step);
    case "wait":
      return lookAtWait(run, step);
    case "all":
    case "plan":
      return lookAtBranches(run, step);
    default:
      return assertNever(step);
  }
}

async function lookAtDecide(run: Run, step: Extract<Step, { kind: "decide" }>): Promise<Look> {
  const look = await lookAtDecision(run);
  if (look.kind === "open") return { kind: "waiting", change: { decision_id: look.decisionId, seen: look.seen } };
  // Begun again, it wants a decision anew.
  if (look.kind === "foreign") return ended(null, { outcome: "undecided", code: "foreign_decision" });
  const { decision } = look;
  const read = await readSteps(run, step.reads ?? []);
  const move = byDefinition(() => step.next({ ...atOf(run, read), decision }));
  return ended(move, { outcome: decision.outcome, decisionId: decision.decisionId, code: codeOf(decision) });
}

async function lookAtWait(run: Run, step: Extract<Step, { kind: "wait" }>): Promise<Look> {
  const { row, now } = run;
  const until = row.until_at?.getTime() ?? null;
  const event = await firstEvent(run, until);
  if (event === null && (until === null || until > now)) return { kind: "waiting", change: {} };
  const read = await readSteps(run, step.reads ?? []);
  const move = byDefinition(() => step.next({ ...atOf(run, read), event }));
  return ended(move, { outcome: event === null ? "time" : `event:${event.name}`, eventId: event?.id ?? null });
}

/** The oldest event that the step waits for; one that was told when the time had come already is too late, whenever it is looked at. */
async function firstEvent({ tx, row, casing: { keys } }: Run, until: number | null): Promise<CaseEvent | null> {
  if (row.awaits.length === 0) return null;
  let query = tx
    .selectFrom("case_event")
    .select(["id", "name", "body", "by_principal", "at"])
    .where("tenant", "=", row.tenant)
    .where("run_id", "=", row.id)
    .where("taken_place", "is", null)
    .where("name", "in", row.awaits);
  if (until !== null) query = query.where("at", "<", new Date(until));
  const found = await query.orderBy("n").limit(1).executeTakeFirst();
  if (found === undefined) return null;
  const { id, name, by_principal: by, at } = found;
  return { id, name, by, at: at.getTime(), body: openEventBody(found.body, { tenant: row.tenant, id, keys }) };
}

async function lookAtBranches(run: Run, step: Extract<Step, { kind: "all" | "plan" }>): Promise<Look> {
  const branches = await readBranches(run);
  const ends = Object.values(branches);
  const isFailed = step.kind === "all" && step.joins === "first_failure" && ends.some(({ isFailure }) => isFailure);
  if (!isFailed && ends.some(({ state }) => state !== "ended")) return { kind: "waiting", change: {} };
  const read = await readSteps(run, step.reads ?? []);
  const move = byDefinition(() =>
    step.kind === "all" ? step.next({ ...atOf(run, read), branches }) : step.next({ ...atOf(run, read), plan: planOf(branches) }),
  );
  return ended(move, { outcome: isFailed ? "failed_branch" : "joined" });
}

function planOf(branches: { readonly [name: string]: BranchEnd }): BranchEnd {
  const plan = branches["plan"];
  if (plan === undefined) throw new TypeError("the plan of a step is not there");
  return plan;
}

function ended(
  move: Move<Json, string> | null,
  told: { outcome: string; decisionId?: string | null; eventId?: string | null; code?: string | null },
): Look {
  return { kind: "ended", move, decisionId: null, eventId: null, code: null, ...told };
}

function codeOf({ code }: StepDecision): string | null {
  return code;
}
