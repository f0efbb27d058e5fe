import type { Principal } from "../../contract/principal.ts";
import type { DecisionView, EntryView } from "../../contract/views.ts";

/** Who asks, and about which decision. */
interface Of {
  readonly principal: Principal;
  readonly decisionId: string;
}

/** What the desk's HTTP side needs of the desk; `createDesk` in `desk.ts` makes it. Every call throws `CountersignError`. */
export interface Room {
  /** The decisions that wait for a person, as far as this principal may answer them. */
  readonly reviews: (asking: { principal: Principal }) => Promise<readonly DecisionView[]>;
  /** What this principal asked for, newest first. */
  readonly mine: (asking: { principal: Principal; limit: number }) => Promise<readonly DecisionView[]>;
  readonly decision: (of: Of) => Promise<DecisionView>;
  readonly story: (of: Of) => Promise<readonly EntryView[]>;
  readonly approve: (of: Of) => Promise<DecisionView>;
  readonly reject: (of: Of & { reason: string }) => Promise<DecisionView>;
  readonly openSlice: (opening: { principal: Principal; capability: string; slice: string; thresholdPpm: number }) => Promise<object>;
}
