import type { LoadedContext, Need } from "./context.ts";
import type { AnyEffect } from "./effect.ts";
import type { JsonObject } from "./json.ts";
import type { Envelope } from "./principal.ts";
import type { ProposalDraft } from "./proposal.ts";
import type { Schema } from "./schema.ts";
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

/** A model by its pinned id, with everything that changes its replies. Floating aliases are refused. */
export interface ModelChoice {
  readonly provider: string;
  readonly id: string;
  readonly effort: "none" | "low" | "medium" | "high";
  readonly temperature: number | null;
}

/** What is sent to a model: the stable system text, then the messages. Retrieved text stands in messages, as data. */
export interface Prompt {
  readonly system: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
}

/** Node 4 as a prompt, or as a rule in code (the entry then says model `none`). */
export type Deciding<I> =
  | {
      readonly kind: "prompt";
      readonly version: string;
      readonly model: ModelChoice;
      readonly prompt: (informed: Informed<I>) => Prompt;
    }
  | { readonly kind: "rule"; readonly version: string; readonly rule: (informed: Informed<I>) => unknown };

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
  /** Roles that may use it; an empty list is nobody. */
  readonly openTo: readonly string[];
  readonly input: Schema<I>;
  readonly decision: Schema<D>;
  /** The decision schema as JSON Schema, converted once: for the model, and for the second look at closed lists. */
  readonly decisionJson: JsonObject;
  readonly preCheck: (asked: Asked<I>) => PreCheck;
  readonly needs: (asked: Asked<I>) => readonly Need[];
  readonly deciding: Deciding<I>;
  readonly maxRetries: number;
  /**
   * What a reply that never fits becomes: a rejection. `person`, a form that somebody fills in from scratch, is refused by
   * `defineCapability` until people can edit a proposal: it would be routed to people who cannot answer it.
   */
  readonly onNonConforming: "reject" | "person";
  readonly output: OutputRules;
  readonly checks: readonly Check<I, D>[];
  readonly judge: Judge<I, D> | null;
  readonly slice: (decided: Decided<I, D>) => string;
  readonly review: "by_route" | "before_delivery";
  /** Every effect that a proposal of this capability may hold. */
  readonly effects: readonly AnyEffect[];
  readonly propose: (decided: Decided<I, D>) => ProposalDraft;
  /** The model's own number from 0 to 100, where its decision carries one: the weakest signal, never used alone. */
  readonly modelConfidence: (decision: D) => number | null;
  /** A word for the decision that may stand in the ledger; no personal data. */
  readonly label: (decision: D) => string;
  /** Keep the inputs in the encrypted payload, for replay. */
  readonly keepsInputs: boolean;
}
