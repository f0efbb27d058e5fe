import type { Verdict } from "../contract/words.ts";
import { type Answers, answersOf, type Standing } from "./questions.ts";

export type { Standing } from "./questions.ts";

/** What happens next: the five outcomes. `wait` says what is stored meanwhile and when to look again. */
export type NextStep =
  | { readonly kind: "accept" }
  | { readonly kind: "wait"; readonly state: Standing["state"]; readonly verdict: Verdict; readonly dueAt: number }
  | { readonly kind: "retry" }
  | { readonly kind: "compensate"; readonly verdict: Verdict; readonly reason: EscalationReason }
  | { readonly kind: "escalate"; readonly verdict: Verdict; readonly reason: EscalationReason };

/** Why a person is called, or what is undone is undone. */
export type EscalationReason =
  | "forbidden_change"
  | "partial_state"
  | "not_readable_by_deadline"
  | "not_complete_by_deadline"
  | "not_applied_by_deadline"
  | "never_retried"
  | "sends_spent";

/**
 * Decides what follows a read, before anything is sent again: accept what is as expected; send again only what is proven not there,
 * at a target that helps against doubles; wait while it may still come; undo what went wrong where the effect says how; else call a
 * person. Pure.
 */
export function nextStep(standing: Standing): NextStep {
  const answers = answersOf(standing);
  switch (answers.change) {
    case "made":
      return { kind: "accept" };
    case "unreadable":
      if (answers.isOver) return { kind: "escalate", verdict: "unknown", reason: "not_readable_by_deadline" };
      return { kind: "wait", state: standing.state, verdict: "unknown", dueAt: lookAgainAt(standing) };
    case "forbidden":
      return answers.mayArrive && answers.isCompensable
        ? waitUntilArrived(standing)
        : undo(answers, "failed", "forbidden_change");
    case "absent":
      return afterAbsent(standing, answers);
    default:
      return afterPartial(standing, answers);
  }
}

/** As it was before. After a send of unknown outcome that is proof once nothing can be on its way any more. */
function afterAbsent(standing: Standing, answers: Answers): NextStep {
  if (answers.received === "said") return afterSilence(standing, answers);
  if (answers.mayArrive) {
    if (answers.isOver) return { kind: "escalate", verdict: "incomplete", reason: "not_complete_by_deadline" };
    return { kind: "wait", state: "unknown", verdict: "unknown", dueAt: lookAgainAt(standing) };
  }
  // Such a target refuses no late sender: a process that was paused in its send may wake yet, so "not there" is not "did not happen".
  if (answers.mayDouble) return { kind: "escalate", verdict: "unknown", reason: "never_retried" };
  if (answers.isOver) return { kind: "escalate", verdict: "failed", reason: "not_applied_by_deadline" };
  if (answers.isSpent) return { kind: "escalate", verdict: "failed", reason: "sends_spent" };
  return { kind: "retry" };
}

/** The target said that it was made and nothing of it is seen. What was never seen is not undone: a person looks. */
function afterSilence(standing: Standing, { isOver }: Answers): NextStep {
  if (isOver) return { kind: "escalate", verdict: "incomplete", reason: "not_complete_by_deadline" };
  return { kind: "wait", state: "incomplete", verdict: "incomplete", dueAt: lookAgainAt(standing) };
}

/** A part of the change. */
function afterPartial(standing: Standing, answers: Answers): NextStep {
  const known = answers.partial?.means ?? "wait";
  if (known === "compensate" && answers.mayArrive) return waitUntilArrived(standing);
  if (known === "compensate") return undo(answers, "incomplete", "partial_state");
  if (known === "escalate") return { kind: "escalate", verdict: "incomplete", reason: "partial_state" };
  if (answers.isOver) return undo(answers, "incomplete", "not_complete_by_deadline");
  return { kind: "wait", state: "incomplete", verdict: "incomplete", dueAt: lookAgainAt(standing) };
}

/** Nothing is undone while a send may still be on its way: it would arrive after its undoing. */
function waitUntilArrived(standing: Standing): NextStep {
  return { kind: "wait", state: "unknown", verdict: "unknown", dueAt: lookAgainAt(standing) };
}

function undo({ isCompensable }: Answers, verdict: Verdict, reason: EscalationReason): NextStep {
  return { kind: isCompensable ? "compensate" : "escalate", verdict, reason };
}

/** Soon at first and then ever more seldom, yet never past the instants at which something can be decided. */
function lookAgainAt({ now, createdAt, settledAt, deadlineAt }: Standing): number {
  const delay = Math.min(30_000, Math.max(250, (now - createdAt) / 2));
  const decisive = [settledAt, deadlineAt].filter((at) => at > now);
  return Math.ceil(Math.min(now + delay, ...decisive));
}
