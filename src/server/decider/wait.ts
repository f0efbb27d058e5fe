import { setTimeout as pause } from "node:timers/promises";
import type { Principal } from "../../contract/principal.ts";
import type { DecisionState, DecisionView } from "../../contract/views.ts";
import type { Decider } from "../../decider.ts";

/** States that go on by themselves; everything else has ended or waits for a person. */
const moving: readonly DecisionState[] = ["waiting_for_policy", "signed", "applying", "incomplete", "unknown"];
const firstMs = 100;
const slowestMs = 1_000;

/** What one caller waits for, at most `ms` milliseconds and no longer than the caller itself. */
export interface Waiting {
  readonly principal: Principal;
  readonly view: DecisionView;
  readonly ms: number;
  readonly signal: AbortSignal;
}

/**
 * Makes the waiting of one decider: a decision is read again once something was recorded of it, until it has ended, waits for a person,
 * the time is up or the caller has hung up; what is known by then is given. At most `most` callers wait; the next is answered at once.
 */
export function createWaiting(decider: Decider, most = 64): (waiting: Waiting) => Promise<DecisionView> {
  let callers = 0;
  return async (waiting) => {
    if (callers >= most) return waiting.view;
    callers += 1;
    try {
      return await untilEnd(decider, waiting);
    } finally {
      callers -= 1;
    }
  };
}

async function untilEnd(decider: Decider, { principal, view, ms, signal }: Waiting): Promise<DecisionView> {
  const end = performance.now() + ms;
  const of = { principal, decisionId: view.id };
  let seen = view;
  let mark: string | null = null;
  let delayMs = firstMs;
  while (moving.includes(seen.state) && performance.now() < end) {
    if (!(await paused(Math.min(delayMs, end - performance.now()), signal))) return seen;
    // The mark before the view: what happens in between shows at the next look.
    const now = await decider.mark(of);
    delayMs = now === mark ? Math.min(slowestMs, delayMs * 1.5) : firstMs;
    if (now !== mark) seen = await decider.decision(of);
    mark = now;
  }
  return seen;
}

/** Waits; `false` where the caller hung up meanwhile. */
async function paused(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, undefined, { signal });
    return true;
  } catch (thrown) {
    if (signal.aborted) return false;
    throw thrown;
  }
}
