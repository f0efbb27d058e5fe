import type { AutonomyRule } from "./autonomy.ts";
import type { RunCaps } from "./budget.ts";
import type { Calculation } from "./calculation.ts";
import type { Calibration } from "./calibration.ts";
import type { LoadedContext, Need } from "./context.ts";
import type { AnyEffect } from "./effect.ts";
import type { JsonObject } from "./json.ts";
import type { MemoryRule } from "./memory.ts";
import type { Envelope } from "./principal.ts";
import type { ProposalDraft } from "./proposal.ts";
import type { Retention } from "./retention.ts";
import type { Intent } from "./retrieval.ts";
import type { Schema } from "./schema.ts";
import type { LoopCaps, LoopStep, Tool } from "./tool.ts";
import type { StopReason } from "./words.ts";

/** What nodes hand to a capability's functions: validated inputs and the envelope. */
export interface Asked<I> {
  readonly inputs: I;
  readonly envelope: Envelope;
}
/** Asked, with the loaded context. */
export interface Informed<I> extends Asked<I> {
  readonly context: LoadedContext;
}
/** Informed, with the decision that passed the guards. */
export interface Decided<I, D> extends Informed<I> {
  readonly decision: D;
}

/** A pre-check passes or stops the decision early with a reason that the requester is told. */
export type PreCheck =
  | { readonly kind: "pass" }
  | { readonly kind: "stop"; readonly reason: StopReason; readonly detail: string };

/** How much a model reasons before it replies. */
export const efforts = ["none", "low", "medium", "high"] as const;

/** A model by its pinned id, with everything that changes its replies. Floating aliases are refused. */
export interface ModelChoice {
  readonly provider: string;
  readonly id: string;
  readonly effort: (typeof efforts)[number];
  /** `null` where the model takes none. */
  readonly temperature: number | null;
  /** The longest reply that is paid for, reasoning included; `limits.outputTokens` where it is left out. */
  readonly maxOutputTokens?: number;
}

/** What is sent to a model: the stable system text, then the messages. Retrieved text stands in messages, as data. */
export interface Prompt {
  readonly system: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
}

/** Node 4 as a prompt, as a bounded loop, or as a rule in code (the entry then says model `none`). */
export type Deciding<I> =
  | {
      readonly kind: "prompt";
      readonly version: string;
      readonly model: ModelChoice;
      /** Asked where the first gave no reply at all, under another id or of another provider; the entry says which of the two decided. */
      readonly second?: ModelChoice;
      readonly prompt: (informed: Informed<I>) => Prompt;
    }
  | Loop<I>
  | { readonly kind: "rule"; readonly version: string; readonly rule: (informed: Informed<I>) => unknown };

/** Node 4 as a bounded loop: the one place where a model chooses the next step. It looks things up, and ends in a decision or with a person. */
export interface Loop<I> {
  readonly kind: "loop";
  readonly version: string;
  readonly model: ModelChoice;
  /**
   * Asked where the first gave no reply at all to the first step; then it answers every later step too. Whichever of the two answers the
   * first step is kept: its silence at a later step ends the loop, so one loop is never the work of two models.
   */
  readonly second?: ModelChoice;
  /** Why the number and order of steps depend on what is found. If they do not, it is a fixed graph and no loop. */
  readonly reason: string;
  /** All that the loop can reach. */
  readonly tools: readonly Tool[];
  /** Replies of the model that count as steps, the final answer included. */
  readonly maxSteps: number;
  readonly caps: LoopCaps;
  /** What the first step begins with. The tools' contracts and what the steps bring are put behind it. */
  readonly prompt: (informed: Informed<I>) => Prompt;
  /** Must hold for a final answer, or a person decides. */
  readonly enough: (trace: readonly LoopStep[]) => boolean;
  /** Has a plan made before anything is looked up; what is proposed in the end is held to it. */
  readonly plan?: Planned<I>;
}

/** How a loop's plan is made: by a call of its own, whose only input is what the principal wrote and the declarations of tools and effects. */
export interface Planned<I> {
  readonly version: string;
  /** The principal's own words among the inputs, and nothing that anybody else wrote. */
  readonly request: (asked: Asked<I>) => string;
}

/**
 * Retrieval by a plan: a model that sees the request and the declared intents, and nothing that was retrieved, makes sub-queries. They are looked
 * for side by side, beside what the capability needs in any case.
 */
export interface Retrieval<I> {
  readonly version: string;
  readonly model: ModelChoice;
  /** The principal's own words among the inputs, and nothing that anybody else wrote. */
  readonly request: (asked: Asked<I>) => string;
  readonly intents: { readonly [name: string]: Intent };
  /** Most sub-queries of a plan, from 1 to 8; 5 where it is left out. */
  readonly mostSubQueries?: number;
}

/** A named check with evidence. Hard unless declared soft with a reason. */
export interface Check<I, D> {
  readonly name: string;
  readonly soft?: { readonly reason: string };
  readonly run: (decided: Decided<I, D>) => { readonly passed: boolean; readonly evidence: string };
}

/** A second opinion by another model over the decision; asked in a share of the decisions, always where risk is high. */
export interface Judge<I, D> {
  readonly ratePpm: number;
  readonly version: string;
  readonly model: ModelChoice;
  readonly prompt: (decided: Decided<I, D>) => Prompt;
}

/** A worked example of a capability: what was asked, what was loaded for it, in words, and the decision that is right. */
export interface WorkedExample<I, D> {
  readonly inputs: I;
  /** Such as `keyboard dev-9, bought 6 months ago`; empty where the inputs say all. */
  readonly given: string;
  readonly decision: D;
}

/** What may not stand in an output, beside the guards that always run. */
export interface OutputRules {
  /** Longest text of one leaf, in UTF-16 code units. */
  readonly maxTextLength: number;
  /** Hosts that links may point to. */
  readonly linkHosts: readonly string[];
  /** Statements that this capability never makes; matched without regard to case. */
  readonly forbidden: readonly string[];
}

/**
 * A named, versioned kind of decision. Made by `defineCapability`; it implements nodes 2, 4, 6 and 10 and inherits the rest.
 * `I` is the type of its inputs, `D` of its decision.
 */
export interface Capability<I = unknown, D = unknown> {
  readonly name: string;
  readonly version: string;
  readonly owner: string;
  /** One sentence that intake shows to the model and the console to people. */
  readonly description: string;
  /** When it declines instead of deciding, in words for the model and for people; `null` where nobody has said. */
  readonly refuses: string | null;
  /** Shown to the model by `systemText`; `countersign check` holds each against the schemas. */
  readonly examples: readonly WorkedExample<I, D>[];
  /** Roles that may use it; an empty list is nobody. */
  readonly openTo: readonly string[];
  readonly input: Schema<I>;
  readonly decision: Schema<D>;
  /** The decision schema as JSON Schema, converted once: for the model, and for the second look at closed lists. */
  readonly decisionJson: JsonObject;
  readonly preCheck: (asked: Asked<I>) => PreCheck;
  readonly needs: (asked: Asked<I>) => readonly Need[];
  /** Has its passages looked for by a plan; left out, it needs what `needs` says alone. */
  readonly retrieval?: Retrieval<I>;
  /** Most tokens of context, estimated by its bytes; passages beyond it are left out, the last found first. `limits.contextTokens` where it is left out. */
  readonly contextTokens?: number;
  readonly deciding: Deciding<I>;
  readonly maxRetries: number;
  /** What a reply that never fits becomes: a rejection, or a case for a person, who decides it elsewhere and closes it with a reason. */
  readonly onNonConforming: "reject" | "person";
  readonly output: OutputRules;
  readonly checks: readonly Check<I, D>[];
  readonly judge: Judge<I, D> | null;
  readonly slice: (decided: Decided<I, D>) => string;
  readonly review: "by_route" | "before_delivery";
  /** Every effect that a proposal of this capability may hold. */
  readonly effects: readonly AnyEffect[];
  /** What the model may have calculated in its claims and plans, by name; code runs it. */
  readonly calculations: readonly Calculation[];
  /** What of its decisions is remembered, for whom and how long; nothing where the list is empty. */
  readonly remembers: readonly MemoryRule[];
  readonly propose: (decided: Decided<I, D>) => ProposalDraft;
  /** Least share of its claims that their sources must bear out, in parts per million; below it the decision is not verified. Nothing is measured where it is left out. */
  readonly minimumGroundedPpm?: number;
  /** The model's own number from 0 to 100, where its decision carries one: the weakest signal, never used alone. */
  readonly modelConfidence: (decision: D) => number | null;
  /** Turns its score into a probability; the score itself where it is left out. */
  readonly calibration?: Calibration;
  /** How it earns to go through alone; `usualAutonomy` where it is left out. */
  readonly autonomy?: AutonomyRule;
  /** A word for the decision that may stand in the ledger; no personal data. */
  readonly label: (decision: D) => string;
  /** Proposals of earlier versions may still be signed; where it is left out, a new version makes void what waits. */
  readonly keepsWaiting: boolean;
  /** What one decision may use at most; the usual caps where it is left out. Shared budgets reserve as much before it begins. */
  readonly caps?: RunCaps;
  /** Keep the inputs in the encrypted payload, for replay, as long as `retention` says. */
  readonly keepsInputs: boolean;
  /** How long what is kept of its decisions is kept; inputs 30 days where it is left out. */
  readonly retention?: Retention;
}
