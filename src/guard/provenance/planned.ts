import type { Json } from "../../contract/json.ts";
import type { CallRule, Plan } from "../../contract/plan.ts";
import type { Calculations } from "./calculations.ts";
import type { Label } from "./labels.ts";

/** What a slot read, once and for all. */
export interface Reading {
  readonly result: Json;
  /** Who can write each field of it, where the records say so themselves; else the tool's declaration does. */
  readonly fields?: CallRule["fields"] | undefined;
  /** The same for each row of a slot for many records, by the row's number; a row without an entry is the tool's declaration's. */
  readonly fieldsOf?: ReadonlyMap<number, CallRule["fields"]>;
  /** The worst label of what it was asked with: who can write that chose what was read. */
  readonly askedWith: Label;
  /** The slot's place in the plan has read all that it is for; false while a slot for many records lacks some. */
  readonly isWhole: boolean;
}

/** A conversation's calls as provenance sees them. Plain and frozen; each step makes a new one. */
export interface PlannedSession {
  /** The principal's own words, and nothing else. */
  readonly request: string;
  readonly rules: ReadonlyMap<string, CallRule>;
  readonly calculations: Calculations;
  /** `null` where no clean plan was made. */
  readonly plan: Plan | null;
  readonly readings: ReadonlyMap<string, Reading>;
  /** Slots that are used up, by id, or by id and number of the record. */
  readonly used: ReadonlySet<string>;
  /** Values that were read and are labelled secrets. */
  readonly secrets: readonly string[];
}
