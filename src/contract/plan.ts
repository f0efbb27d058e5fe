import type { FieldLabel } from "./context.ts";
import type { Json } from "./json.ts";
import type { ParamClass } from "./words.ts";

/** What a literal must look like to be one; `text` is any run of whole words. */
export const valueTypes = ["text", "email", "url", "iban", "user", "id", "integer", "number", "boolean", "date", "time"] as const;
export type ValueType = (typeof valueTypes)[number];

/** What one argument of a call is for, and what it looks like. */
export interface ArgRule {
  readonly class: ParamClass;
  readonly type: ValueType;
  /** A list of values; their order means nothing. */
  readonly many?: boolean;
  /** May be left out of a slot and of a call. */
  readonly optional?: boolean;
  /** Values that the author of the tool allows for it whatever the request says, such as the words of a closed list. */
  readonly constants?: readonly Json[];
}

/**
 * A tool or an effect as provenance sees it. What is not declared counts as the worst: an undeclared argument as a `target`, an
 * undeclared field as `third`, an undeclared call as external and irreversible.
 */
export interface CallRule {
  readonly name: string;
  /** One sentence that the planner is shown. */
  readonly description: string;
  /** `write` changes something; `send` is a read that leaves the house, such as a GET to an address, and counts as a write. */
  readonly kind: "read" | "send" | "write";
  readonly space: "own" | "external";
  readonly reversible: boolean;
  readonly args: { readonly [arg: string]: ArgRule };
  /** Who can write each returned field: RFC 6901 pointer into the result, `*` for every element or member → label. */
  readonly fields: { readonly [pattern: string]: FieldLabel };
}

/** One condition on a record: its field, compared with a value. */
export interface Where {
  /** Pointer into the record. */
  readonly field: string;
  readonly is:
    | "equals"
    /** Is one of a list; is none of it. */
    | "in"
    | "not_in"
    /** A part of a text, or its start, without regard to case; or an element of the field's list. */
    | "contains"
    | "starts_with"
    /** Numbers, or texts such as dates by their characters; a list counts as its length. */
    | "less_than"
    | "greater_than"
    | "at_least"
    | "at_most";
  readonly value: Binding;
}

/**
 * Records of what a slot read. After the conditions and the pick exactly one must be left, or with `many` one frozen set.
 * Its label is the worst of the field it takes and of every field that chose the record: who can write those can steer it.
 */
export interface Ref {
  readonly kind: "ref";
  /** The slot whose result is read. */
  readonly slot: string;
  /**
   * Pointer to the list of records; left out where the result is the list, or is the record. The result of a slot with `forEach` is a list
   * of `{ item, result }`, one for each record that it was read for.
   */
  readonly list?: string;
  readonly where?: readonly Where[];
  /** Leaves all that tie, so that without `many` a tie means nobody. */
  readonly pick?: { readonly by: string; readonly order: "greatest" | "least" };
  /** Pointer into each record; empty for the record itself. */
  readonly path: string;
  readonly many?: boolean;
}

/** Where the value of one argument comes from. Resolved by code over the request and what was read, never by a model. */
export type Binding =
  /** A span of the request, whole words of it, that is of the argument's type. */
  | { readonly kind: "literal"; readonly text: string }
  /** A value of the planner's own; for targets, selectors, amounts and secrets only one that the tool allows. */
  | { readonly kind: "constant"; readonly value: Json }
  /** A registered calculation over other bindings. */
  | { readonly kind: "calculation"; readonly name: string; readonly of: readonly Binding[] }
  | Ref
  /** A field of the record that `forEach` stands at. */
  | { readonly kind: "item"; readonly path: string }
  /** A span of the request with placeholders such as `{hotel}` in it, each filled by a binding. */
  | { readonly kind: "template"; readonly text: string; readonly fill: { readonly [placeholder: string]: Binding } }
  /** A list with an element per binding. */
  | { readonly kind: "list"; readonly of: readonly Binding[] }
  /** Text written by a call without tools that sees only what these slots read. */
  | { readonly kind: "compose"; readonly from: readonly string[] }
  /** What the planner cannot know and no record can be trusted with; a person sees it beside the values that are fixed. */
  | { readonly kind: "open"; readonly why: string };

/**
 * One call that the plan allows, once, or once for each record of a frozen set. A slot that reads inside the house is read by the runtime
 * itself as soon as its arguments resolve: what a model reads, and when, changes nothing about it.
 */
export interface Slot {
  readonly id: string;
  readonly tool: string;
  readonly args: { readonly [arg: string]: Binding };
  readonly forEach?: Ref;
}

/** What a planner writes before any untrusted text is read: from the principal's own words and the declarations alone. */
export interface PlanDraft {
  readonly slots: readonly Slot[];
  /** What becomes of a call that is in no slot: refused, or where the request itself says to do what a text says, put before a person. */
  readonly outside: "refuse" | "ask";
}

/** A plan that was checked: frozen, and known by its digest. */
export interface Plan extends PlanDraft {
  readonly version: 1;
  /** SHA-256 over the request and the declarations that it was made from, in hex. */
  readonly madeFrom: string;
  /** SHA-256 over the canonical form of all the rest, in hex. */
  readonly digest: string;
}

/** A call that a model proposes. */
export interface ProposedCall {
  readonly tool: string;
  readonly args: { readonly [arg: string]: Json };
}

/** Where a value was taken from, as the reviewer is shown it. */
export interface ValueSource {
  readonly arg: string;
  readonly label: "principal" | "constant" | "calculation" | "composed" | "model" | FieldLabel;
  /** Such as `the request, "Dental check-up"` or `slot find, /events/id`. */
  readonly from: string;
  /** Where in what a slot read, for a value that was taken as it stands there. */
  readonly place?: { readonly slot: string; readonly pointer: string };
}

/** What provenance says of one proposed call. */
export type CallRuling =
  | {
      readonly kind: "auto";
      readonly rule: CallReason;
      /** The slot, and for one of many records its number; `null` where none was needed. Used up by the call. */
      readonly slot: string | null;
      readonly sources: readonly ValueSource[];
    }
  /** A person decides; what they permit uses up the slot that the call was meant for. */
  | {
      readonly kind: "ask";
      readonly rule: CallReason;
      readonly slot: string | null;
      readonly reason: string;
      readonly sources: readonly ValueSource[];
    }
  | { readonly kind: "refuse"; readonly rule: CallReason; readonly reason: string };

/** Why provenance ruled as it did. */
export const callReasons = [
  "read_inside",
  "as_planned",
  "own_and_reversible",
  "typed_by_principal",
  "tool_unknown",
  "not_in_plan",
  "differs_from_plan",
  "unresolved",
  "not_trusted",
  "wording_with_strangers",
  "irreversible",
  "no_plan",
] as const;
export type CallReason = (typeof callReasons)[number];
