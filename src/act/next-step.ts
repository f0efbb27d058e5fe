import type { Dedupe, Verdict } from "../contract/words.ts";
import type { Judged } from "./verdict.ts";

/** What is known of an operation whose outcome is not settled. Times in milliseconds of the store's clock. */
export interface Standing {
  /** What the separate read said; `null` where it could not be made. */
  readonly seen: Judged | null;
  readonly state: "applied" | "incomplete" | "unknown";
  readonly dedupe: Dedupe;
  readonly now: number;
  readonly createdAt: number;
  /** From then on "not there" is proof. */
  readonly settledAt: number;
  readonly deadlineAt: number;
}

/** What happens next. `wait` says what is stored meanwhile and when to look again. */
export type NextStep =
  | { readonly kind: "accept" }
  | { readonly kind: "wait"; readonly state: Standing["state"]; readonly verdict: Verdict; readonly dueAt: number }
  | { readonly kind: "retry" }
  | { readonly kind: "escalate"; readonly verdict: Verdict; readonly reason: EscalationReason };

/** Why a person is called. */
export type EscalationReason =
  | "forbidden_change"
  | "not_readable_by_deadline"
  | "not_complete_by_deadline"
  | "not_applied_by_deadline"
  | "never_retried";

/**
 * Decides what follows a read, before anything is sent again: accept what is as expected; send again only what is proven not there,
 * at a target that helps against doubles; wait while it may still come; else call a person. Pure.
 */
export function nextStep(standing: Standing): NextStep {
  const { seen } = standing;
  if (seen === null) return unreadable(standing);
  if (seen.verdict === "complete") return { kind: "accept" };
  if (seen.verdict === "failed") return { kind: "escalate", verdict: "failed", reason: "forbidden_change" };
  const isProvenAbsent = standing.state === "unknown" && seen.isAsBefore && standing.now >= standing.settledAt;
  if (isProvenAbsent) return absent(standing);
  if (standing.now >= standing.deadlineAt) return { kind: "escalate", verdict: "incomplete", reason: "not_complete_by_deadline" };
  // What is as it was before, after a send of unknown outcome, stays unknown; anything else is a part of the change.
  const state = standing.state === "unknown" && seen.isAsBefore ? "unknown" : "incomplete";
  return { kind: "wait", state, verdict: state, dueAt: lookAgainAt(standing) };
}

function unreadable(standing: Standing): NextStep {
  if (standing.now >= standing.deadlineAt) return { kind: "escalate", verdict: "unknown", reason: "not_readable_by_deadline" };
  return { kind: "wait", state: standing.state, verdict: "unknown", dueAt: lookAgainAt(standing) };
}

function absent({ dedupe, now, deadlineAt }: Standing): NextStep {
  if (dedupe === "none") return { kind: "escalate", verdict: "failed", reason: "never_retried" };
  if (now >= deadlineAt) return { kind: "escalate", verdict: "failed", reason: "not_applied_by_deadline" };
  return { kind: "retry" };
}

/** Soon at first and then ever more seldom, yet never past the instants at which something can be decided. */
function lookAgainAt({ now, createdAt, settledAt, deadlineAt }: Standing): number {
  const delay = Math.min(30_000, Math.max(250, (now - createdAt) / 2));
  const decisive = [settledAt, deadlineAt].filter((at) => at > now);
  return Math.ceil(Math.min(now + delay, ...decisive));
}
