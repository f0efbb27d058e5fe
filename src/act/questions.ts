import type { PartialState, Snapshot } from "../contract/effect.ts";
import type { Dedupe } from "../contract/words.ts";
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
  /** Sends that were begun, and the most that may be. */
  readonly sends: number;
  readonly maxSends: number;
  /** The named state in between that was seen, if one was. */
  readonly partial: Pick<PartialState, "name" | "means"> | null;
  /** The effect says how it is undone. */
  readonly isCompensable: boolean;
}

/**
 * The questions that are asked of an operation after a look at it, each with its answer. Two more, whether the approval, the
 * credential and the permission still hold, are asked by `verifyApproval` in the transaction that would send again.
 */
export interface Answers {
  /** Did the target get it? `said`: it said so itself. */
  readonly received: "said" | "unknown";
  /** Did the expected change occur? */
  readonly change: "made" | "absent" | "partial" | "forbidden" | "unreadable";
  /** Is a state in between one that is known, and what does it mean? */
  readonly partial: Standing["partial"];
  /** May a send still be on its way, so that "not there" is no proof? */
  readonly mayArrive: boolean;
  /** May a send that is repeated be a second change? */
  readonly mayDouble: boolean;
  /** Were as many sends begun as may be? */
  readonly isSpent: boolean;
  /** Is the time over in which it had to be complete? */
  readonly isOver: boolean;
  /** Can it be undone by an effect of its own? */
  readonly isCompensable: boolean;
}

/** Answers the questions. Pure. */
export function answersOf(standing: Standing): Answers {
  const { state, dedupe, now, settledAt, deadlineAt, sends, maxSends, partial, isCompensable } = standing;
  return {
    received: state === "unknown" ? "unknown" : "said",
    change: changeOf(standing),
    partial,
    mayArrive: state === "unknown" && now < settledAt,
    mayDouble: dedupe === "none",
    isSpent: sends >= maxSends,
    isOver: now >= deadlineAt,
    isCompensable,
  };
}

function changeOf({ seen }: Standing): Answers["change"] {
  if (seen === null) return "unreadable";
  if (seen.verdict === "complete") return "made";
  if (seen.verdict === "failed") return "forbidden";
  return seen.isAsBefore ? "absent" : "partial";
}

/** The first named state in between that holds of what was seen; one whose test throws does not hold. */
export function partialStateOf<P>(
  states: readonly PartialState<P>[],
  { observed, params }: { readonly observed: Snapshot; readonly params: P },
): PartialState<P> | null {
  const holds = (state: PartialState<P>): boolean => {
    try {
      return state.holds(observed, params) === true;
    } catch {
      return false;
    }
  };
  return states.find(holds) ?? null;
}
