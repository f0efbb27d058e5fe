import type { ContextItem } from "../contract/context.ts";
import type { ContextActivity } from "../contract/retrieval.ts";
import type { LoopStep } from "../contract/tool.ts";
import type { Usage } from "../contract/usage.ts";
import type { DecisionView } from "../contract/views.ts";
import type { EvalCase } from "./case-file.ts";
import type { Outcome, Repeat, TraceStep } from "./eval-run.ts";

/** One repeat of one eval case that is to be played. */
export interface PlayTask {
  readonly one: EvalCase;
  readonly capability: string;
  /** Counted from 1. */
  readonly repeat: number;
}

/** A row that the sandbox was asked for in the end. */
export interface FinalRows {
  readonly query: string;
  /** `null` where it could not be read. */
  readonly rows: readonly object[] | null;
}

/** One reply of a model, as an auditor may read it. */
export interface PlayedReply {
  readonly node: string;
  readonly outcome: string;
  readonly reply: string;
  readonly isReplyWhole: boolean;
  readonly usage: Usage;
  readonly costMicros: number;
}

/** What one repeat came to, as an auditor may read it: all that scorers look at. */
export interface Played {
  readonly outcome: Outcome;
  readonly trace: readonly TraceStep[];
  /** As an auditor sees it; `null` where no decision was made. */
  readonly decision: DecisionView | null;
  /** What was loaded and what a loop found; `null` where nothing was kept of it, as when it stopped before anything was read. */
  readonly items: readonly ContextItem[] | null;
  /** Ids of loaded passages whose documents' own labels do not open them to the asker. */
  readonly unseen: readonly string[];
  /** How passages were searched for; `null` as for `items`. */
  readonly activity: ContextActivity | null;
  /** Empty outside loops. */
  readonly steps: readonly LoopStep[];
  /** What models replied, as far as it was kept; left out where nothing was. */
  readonly replies?: readonly PlayedReply[];
  /** Every request that a model's provider was handed for it, as text. */
  readonly sent: readonly string[];
  /** How many replies of a provider are to requests of which nobody knows what was sent. */
  readonly unknownSent: number;
  /** What the sandbox holds in the end, one for each row that the case expects; empty where none is expected. */
  readonly state: readonly FinalRows[];
  /** What is to be told of a repeat that broke; scorers are not asked then. */
  readonly fault: Repeat["fault"];
}

/** Plays one repeat with real calls. What breaks is a fault of the repeat; it throws where no further repeat can be played. */
export type Play = (task: PlayTask) => Promise<Played>;
