import type { LookUp } from "./look-up.ts";
import type { Cancel, Principal } from "./principal.ts";
import type { RedundancyView } from "./redundancy.ts";
import type { AskView, DecisionView, EntryView } from "./views.ts";

/** A request for one decision of a named capability, or of whatever a sentence is for. */
export interface Asking {
  readonly principal: Principal;
  readonly idempotencyKey?: string | null;
  /** The session of which it is a turn, by the client's own id. */
  readonly session?: string | null;
  /** The reference time that it names, in milliseconds since the epoch; for trials alone. */
  readonly at?: number | null;
  readonly cancel?: Cancel;
}

/** The deciding half. Holds connections; close it. */
export interface Decider extends LookUp {
  /** Decides; throws `unknown_capability`, `bad_text`, `input_invalid` (recorded), `in_progress`, `idempotency_conflict`. */
  readonly decide: (asking: Asking & { capability: string; inputs: unknown }) => Promise<DecisionView>;
  /** Lets intake pick the capability, then decides; asks back where nothing or several things fit. */
  readonly ask: (asking: Asking & { text: string }) => Promise<AskView>;
  /**
   * Decides anew what waits for people, with a person's decision in the model's place; for whoever asked first, and naming the first
   * as its cause. Throws `not_found`, `approver_not_permitted`, `not_waiting`, and `input_invalid` where the decision does not fit, does
   * not pass the checks, or nothing was kept that it could be made on.
   */
  readonly edit: (editing: { principal: Principal; decisionId: string; decision: unknown }) => Promise<DecisionView>;
  /** One decision that this principal may see, or `not_found`. */
  readonly decision: (of: { principal: Principal; decisionId: string }) => Promise<DecisionView>;
  /** The entries of one decision in their order, with what of their bodies this principal may read. */
  readonly story: (of: { principal: Principal; decisionId: string }) => Promise<readonly EntryView[]>;
  /** What these texts say more than once; nothing of them is kept. */
  readonly redundancy: (texts: readonly { readonly id: string; readonly text: string }[]) => RedundancyView;
  /** A text that changes whenever something happened to a decision of the principal's tenant; cheap, for waiting. */
  readonly mark: (of: { principal: Principal; decisionId: string }) => Promise<string>;
  readonly close: () => Promise<void>;
}
