import type { OperationState } from "../../contract/words.ts";
import type { DecisionStory } from "../../ledger/story.ts";

/** States in which time alone, or another look, brings an operation on. */
const moving: ReadonlySet<OperationState> = new Set(["applying", "applied", "incomplete", "unknown", "retrying"]);
/** So many looks as they fall due, then the deadline itself: its back-off is no part of what is tried. */
const patientRounds = 12;

/** How long until a decision can go on, in milliseconds; `null` where nothing of it moves any more. */
export function restOf({ operations, approvals }: DecisionStory, { now, round }: { now: number; round: number }): number | null {
  const open = operations.filter(({ state }) => moving.has(state));
  if (open.length > 0) {
    const dues = open.map(({ due_at, lease_until }) => Math.max(due_at.getTime(), lease_until.getTime()));
    const deadlines = open.map(({ deadline_at }) => deadline_at.getTime());
    const next = round < patientRounds ? Math.min(...dues) : Math.max(...dues, ...deadlines);
    return Math.max(1, next - now + 1);
  }
  return approvals.some(({ state }) => state === "granted") ? 1_000 : null;
}
