import type { Snapshot } from "./effect.ts";
import type { ExplainedApproval, ExplainedOperation } from "./explanation.ts";
import type { EffectView } from "./views.ts";
import type { OperationState, Risk, SideEffect, Verdict } from "./words.ts";

/** One operation as a list tells it: one execution of one effect. Times are milliseconds since the epoch, by the store's clock. */
export interface OperationLine extends Pick<EffectView, "dedupe" | "resolution" | "resolvable" | "stopped"> {
  readonly id: string;
  readonly decisionId: string;
  /** Counted from 0. */
  readonly effectIndex: number;
  readonly effect: string;
  readonly capability: string;
  /** What is to change, in a sentence; `null` where this reader may not see it, or it was erased. */
  readonly sentence: string | null;
  /** What the effect is like; `null` as above. */
  readonly risk: Risk | null;
  readonly sideEffect: SideEffect | null;
  readonly reversible: boolean | null;
  readonly state: OperationState;
  /** What the newest read found; `null` before the first one. */
  readonly verdict: Verdict | null;
  /** The business key: one consequence for each. */
  readonly key: string;
  /** How often that key was opened anew, from 1. */
  readonly generation: number;
  /** How often it was sent. */
  readonly attempts: number;
  readonly fence: number;
  readonly begunAt: number;
  /** When it came to be as it is. */
  readonly since: number;
  /** When it is looked at next; `null` where it has ended or was left to people. */
  readonly nextLookAt: number | null;
  /** By when it must be seen, else people are called. */
  readonly deadlineAt: number;
  readonly expected: Snapshot;
  readonly observed: Snapshot;
  /** The fields in which what was seen is not what was expected, and those that changed and must not. */
  readonly differs: readonly string[];
  readonly forbidden: readonly string[];
}

/** One operation with everything that the ledger holds of it, as far as this reader may see it. */
export interface OperationView extends OperationLine {
  readonly before: Snapshot;
  readonly approvals: readonly ExplainedApproval[];
  /** Its sends, looks and ends; `null` where no entry of it is there. */
  readonly course: ExplainedOperation | null;
}

/** How many operations stand how. */
export interface OperationSummary {
  /** Those that have not ended: being carried out, or left to people. */
  readonly open: readonly { readonly state: OperationState; readonly count: number }[];
  /** There are more than are counted: the oldest are. */
  readonly isOpenOver: boolean;
  /** Those that have ended, of the ones that were begun from `endedFrom` on. */
  readonly ended: readonly { readonly state: OperationState; readonly count: number }[];
  readonly endedFrom: number;
  /** More were begun since then than are counted: the newest are. */
  readonly isEndedOver: boolean;
  /** When the oldest open one was begun; `null` where none is open. */
  readonly oldestOpenAt: number | null;
}
