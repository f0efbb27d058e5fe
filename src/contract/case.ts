import type { Json } from "./json.ts";
import type { Proposal } from "./proposal.ts";
import type { Schema } from "./schema.ts";
import type { DecisionState, EffectView } from "./views.ts";

/** How the decision of a step ended, in the words of decisions; `undecided` where none could be made. */
export const stepOutcomes = [
  "answered",
  "done",
  "not_in_sources",
  "stopped",
  "rejected_by_checks",
  "rejected_by_person",
  "failed",
  "refused",
  "expired",
  "void",
  "undecided",
] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

/** What became of the decision that a step wanted, as the ledger has it. */
export interface StepDecision {
  readonly outcome: StepOutcome;
  /** `null` where none was recorded. */
  readonly decisionId: string | null;
  /** The capability's own word for what was decided. */
  readonly label: string | null;
  /** What was proposed, where that was accepted: answered, or carried out and seen. What nobody accepted is no step's input. */
  readonly proposal: Proposal | null;
  /** The effects with what was seen of them; none where nothing was accepted. */
  readonly effects: readonly EffectView[];
  /** Why it is undecided: an error's code or the reason of a stop. */
  readonly code: string | null;
}

/** An event as a step takes it up; times in milliseconds since the epoch, by the store's clock. */
export interface CaseEvent {
  readonly id: string;
  readonly name: string;
  readonly body: Json;
  readonly by: string;
  readonly at: number;
}

/** How a branch or a sub-plan stands. */
export interface BranchEnd {
  readonly state: "running" | "escalated" | "ended";
  /** The word of its end; `null` before that. */
  readonly outcome: string | null;
  /** It ended by an end that is a failure. */
  readonly isFailure: boolean;
  readonly data: Json;
}

/** What the functions of a step are given: plain values, and the time. They must do nothing but compute. */
export interface At<D> {
  readonly data: D;
  /** The store's clock, in milliseconds since the epoch. */
  readonly at: number;
  /** The case's own key. */
  readonly key: string;
  /** Who started it, by id. */
  readonly startedBy: string;
  /** What became of the steps that this one names in `reads`, by name; a step that was not taken is not there. */
  readonly read: { readonly [step: string]: StepDecision };
}

/** Where a case goes next, and its data from then on; the data stay as they are where they are left out. */
export interface Move<D, S extends string> {
  readonly to: S;
  readonly data?: D;
}

interface Common<S extends string> {
  /** Every step that this one may hand over to. */
  readonly to: readonly S[];
  /** Who is called when it does not go on; the case's owner where it is left out. */
  readonly owner?: string;
  /** How long it may take before its owner is told, in milliseconds. The case still goes on when what it waits for comes. */
  readonly deadlineMs?: number;
  /** The deciding steps whose decisions its functions are given. */
  readonly reads?: readonly S[];
}

/** Wants a decision of a capability. An effect is such a step too: of a capability that proposes it, by a model or by a rule. */
export interface DecideStep<D, S extends string> extends Common<S> {
  readonly kind: "decide";
  readonly capability: string;
  readonly inputs: (at: At<D>) => Json;
  /** `null` where the case has no way to go on: its owner is told, and may have the step begun again. */
  readonly next: (ended: At<D> & { readonly decision: StepDecision }) => Move<D, S> | null;
}

/** Waits for one of several events, for a time, or for whichever comes first. */
export interface WaitStep<D, S extends string> extends Common<S> {
  readonly kind: "wait";
  readonly events?: readonly string[];
  /** Until when, in milliseconds since the epoch; asked once, when the step is entered. */
  readonly until?: (at: At<D>) => number;
  /** `event` is `null` where the time came first. */
  readonly next: (ended: At<D> & { readonly event: CaseEvent | null }) => Move<D, S> | null;
}

/** One branch: a case of its own, with an input of its own. */
export interface Branch {
  readonly name: string;
  readonly case: string;
  readonly input: Json;
}

/** Runs other cases side by side and goes on when all have ended, or when the first one has failed. */
export interface AllStep<D, S extends string> extends Common<S> {
  readonly kind: "all";
  /** Every case that a branch may be of. */
  readonly cases: readonly string[];
  readonly branches: (at: At<D>) => readonly Branch[];
  readonly joins: "all_ended" | "first_failure";
  /** With `first_failure` the other branches run on; nobody waits for them. */
  readonly next: (ended: At<D> & { readonly branches: { readonly [name: string]: BranchEnd } }) => Move<D, S> | null;
}

/** Runs one other case and goes on when it has ended. */
export interface PlanStep<D, S extends string> extends Common<S> {
  readonly kind: "plan";
  readonly case: string;
  readonly input: (at: At<D>) => Json;
  readonly next: (ended: At<D> & { readonly plan: BranchEnd }) => Move<D, S> | null;
}

/** Ends the case with a word. */
export interface EndStep {
  readonly kind: "end";
  readonly outcome: string;
  readonly isFailure?: boolean;
}

/** One typed step of a case. */
export type CaseStep<D, S extends string> = DecideStep<D, S> | WaitStep<D, S> | AllStep<D, S> | PlanStep<D, S> | EndStep;

/** What may be told to a case: what it holds, and who may tell it. */
export interface EventRule {
  readonly body: Schema;
  /** Roles that may tell it; an empty list is nobody. */
  readonly by: readonly string[];
  /** Who started the case, or for whom it was, may not tell it: what others are to say of it, such as a yes. */
  readonly notByStarter?: boolean;
}

/** A running case between two definitions: the step at which it stands, and its data. */
export interface MovedCase {
  readonly step: string;
  readonly data: Json;
}

/** Takes running cases of an older version over to this one. */
export interface Migration {
  readonly from: string;
  readonly step: (moved: MovedCase) => MovedCase;
}

/**
 * A named, versioned course of work that takes days: typed steps and the ways between them. Made by `defineCase`.
 * `D` is the type of its data, `S` the names of its steps.
 */
export interface Case<D = Json, S extends string = string> {
  readonly name: string;
  readonly version: string;
  /** Who is told when it does not go on. */
  readonly owner: string;
  readonly description: string;
  /** Roles that may start it; an empty list is nobody. */
  readonly openTo: readonly string[];
  /** What it is started with. */
  readonly input: Schema;
  /** What it knows while it runs; checked after every move. */
  readonly data: Schema<D>;
  readonly begin: (started: { readonly input: Json; readonly at: number; readonly key: string; readonly startedBy: string }) => D;
  readonly start: S;
  readonly steps: { readonly [name in S]: CaseStep<D, S> };
  readonly events: { readonly [name: string]: EventRule };
  /** How long the whole may take before its owner is told, in milliseconds; `null` for no limit. */
  readonly deadlineMs: number | null;
  readonly migrate: readonly Migration[];
  /** Kept for cases that still run on it: none is started, and of each name one version is not retired. */
  readonly isRetired: boolean;
}

/** A case whose data's type is not known where it is used; made by `defineCase`, which keeps the parts consistent. */
export type AnyCase = Case<Json, string>;

/** How far a state of a decision has come for a case: a word where it has ended, else `open`; a superseded one is followed. */
export const outcomeOfState: Readonly<Record<DecisionState, StepOutcome | "open" | "superseded">> = {
  answered: "answered",
  not_in_sources: "not_in_sources",
  stopped: "stopped",
  rejected_by_checks: "rejected_by_checks",
  waiting: "open",
  needs_person: "open",
  rejected_by_person: "rejected_by_person",
  superseded: "superseded",
  waiting_for_policy: "open",
  signed: "open",
  applying: "open",
  done: "done",
  incomplete: "open",
  failed: "failed",
  unknown: "open",
  compensating: "open",
  compensated: "failed",
  // A person may still find that it happened.
  escalated: "open",
  refused: "refused",
  expired: "expired",
  void: "void",
};
