import { assertNever, CountersignError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";
import type { Acting } from "./acting.ts";
import type { Held } from "./held.ts";
import { type NextStep, nextStep, type Standing } from "./next-step.ts";
import { type Observation, observe } from "./observe.ts";
import type { Move } from "./operations.ts";
import { partialStateOf } from "./questions.ts";
import type { Step } from "./record.ts";

/** How long an undoing may take before a person is called, in milliseconds: as long as what waits for people, and a day. */
export const undoingMs = limits.waitingMs + 24 * 60 * 60 * 1000;

/** Most sends of one operation where its effect names no other number. */
const usualSends = 5;

/**
 * After a send that the target accepted: looks through the observing connector and records both in one commit. "Done" is said only
 * when the read matches.
 */
export async function settle({
  held,
  acting,
  applied,
}: {
  held: Held;
  acting: Acting;
  applied: { readonly targetId: string | null };
}): Promise<Held> {
  const observation = await observe(held.task, acting);
  return acting.recorder.record({
    held,
    recording: (now) => {
      const step = nextStep(standingOf({ held, observation, now, state: "applied" }));
      const recorded = stepsOf({ step, observation, held, now });
      return { ...recorded, steps: [{ kind: "applied", facts: { targetId: applied.targetId } }, ...recorded.steps] };
    },
  });
}

/** What is known of a held operation after a look at it. */
export function standingOf({
  held,
  observation,
  now,
  state,
}: {
  held: Held;
  observation: Observation;
  now: number;
  state: Standing["state"];
}): Standing {
  const { effect, params } = held.task;
  const { recovery } = effect;
  const isSeen = observation.kind === "seen";
  return {
    seen: isSeen ? observation.judged : null,
    state,
    dedupe: effect.dedupe,
    now,
    createdAt: held.createdAt,
    settledAt: held.lastSendAt + effect.settleMs,
    deadlineAt: held.deadlineAt,
    sends: held.attempts,
    maxSends: recovery?.maxSends ?? usualSends,
    partial: isSeen ? partialStateOf(recovery?.partial ?? [], { observed: observation.observed, params }) : null,
    isCompensable: effect.compensate !== undefined,
  };
}

/** The entries and the move of every next step but a retry. A look that changes nothing leaves no entry. */
export function stepsOf({
  step,
  observation,
  held,
  now,
}: {
  step: NextStep;
  observation: Observation;
  held: Held;
  now: number;
}): { readonly steps: readonly Step[]; readonly move: Omit<Move, "lastEntryId"> } {
  switch (step.kind) {
    case "accept":
      return { steps: [observed("complete", observation, held)], move: { state: "complete", leaseUntil: now, dueAt: now } };
    case "wait": {
      const isNews = held.foundState !== step.state;
      const move = { state: step.state, leaseUntil: now, dueAt: step.dueAt };
      return { steps: isNews ? [observed(step.verdict, observation, held)] : [], move };
    }
    case "compensate": {
      // The state says that the undoing is to be proposed; whoever takes the operation next wants a decision for it.
      const seen = observed(step.verdict, observation, held);
      const undone = { ...seen, facts: { ...seen.facts, next: "compensate", reason: step.reason } };
      return { steps: [undone], move: { state: "compensating", leaseUntil: now, dueAt: now, deadlineAt: now + undoingMs } };
    }
    case "escalate": {
      const escalated: Step = { kind: "escalated", facts: { reason: step.reason, owner: held.task.effect.owner } };
      return {
        steps: [observed(step.verdict, observation, held), escalated],
        move: { state: "escalated", leaseUntil: now, dueAt: now },
      };
    }
    case "retry":
      throw new CountersignError("internal", "a retry has steps of its own");
    default:
      return assertNever(step);
  }
}

/** The evidence of a verdict: what was expected, what was seen, through which connector. */
export function observed(verdict: string, observation: Observation, { task }: Held): Step {
  const isSeen = observation.kind === "seen";
  const facts: JsonObject = isSeen
    ? { differs: observation.judged.differs, forbidden: observation.judged.forbidden, verdict }
    : { fault: observation.fault, verdict };
  const bodies = { expected: task.proposed.expected, ...(isSeen ? { observed: observation.observed } : {}) };
  return { kind: "observed", facts, bodies };
}
