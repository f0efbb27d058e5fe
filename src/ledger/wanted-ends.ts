import { CountersignError, type ErrorCode } from "../contract/errors.ts";
import type { DecisionView } from "../contract/views.ts";
import type { StopReason } from "../contract/words.ts";
import type { TakenWanted, WantedEnd } from "./wanted.ts";

/** How often one is taken up before it is given up, whatever happens to it. */
export const mostAttempts = 30;
/** How many decisions of it may end for want of a model or a record. */
export const mostRounds = 5;

/** Ends for want of something that may be there later; every other decision stands. */
const passing: readonly StopReason[] = [
  ...(["model_unavailable", "record_unavailable", "knowledge_unavailable", "cancelled", "abandoned"] as const),
];
/** What asking again would not mend. */
const lasting: readonly ErrorCode[] = [
  ...(["input_invalid", "unknown_capability", "bad_request", "bad_text", "too_large", "unserialisable"] as const),
  "idempotency_conflict",
];
const inProgressMs = 5_000;

type Of = Pick<TakenWanted, "attempts" | "round">;

/** What becomes of a wanted decision when one was recorded for it. */
export function endByView({ round }: Of, { id, stop }: Pick<DecisionView, "id" | "stop">): WantedEnd {
  if (stop === null || !passing.includes(stop.reason)) return { state: "made", decisionId: id };
  if (round + 1 >= mostRounds) return { state: "failed", code: stop.reason, decisionId: id };
  return { state: "waiting", afterMs: restMs(round), isRecorded: true, isCounted: false };
}

/** What becomes of it when asking threw. */
export function endAfterFault({ attempts }: Of, thrown: unknown): WantedEnd {
  const code = thrown instanceof CountersignError ? thrown.code : "internal";
  // Another process decides it, or did when it died: then the sweeper ends that one, and the next look finds it.
  if (code === "in_progress") return { state: "waiting", afterMs: inProgressMs, isRecorded: false, isCounted: false };
  if (lasting.includes(code)) return { state: "failed", code, decisionId: decisionOf(thrown) };
  // Whether one was recorded is not known: asked again under the same key, it is joined if it was.
  return { state: "waiting", afterMs: restMs(attempts - 1), isRecorded: false, isCounted: true };
}

/** 2 s, 8 s, 32 s, then 2 minutes. */
function restMs(before: number): number {
  return Math.min(2_000 * 4 ** before, 120_000);
}

function decisionOf(thrown: unknown): string | null {
  const id = thrown instanceof CountersignError ? thrown.facts["decisionId"] : null;
  return typeof id === "string" ? id : null;
}
