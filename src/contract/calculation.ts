import type { Json } from "./json.ts";
import type { FieldUnit, Quantity } from "./quantity.ts";

/** What an operand of a calculation may be; `list` is of any length, for counting. Dates are `2026-05-16`, times `2026-05-16 09:30`. */
export interface OperandTypes {
  readonly quantity: Quantity;
  readonly date: string;
  readonly time: string;
  readonly text: string;
  readonly list: readonly Json[];
}
export type OperandType = keyof OperandTypes;

/** What one operand is: its type, and what of its unit is demanded. */
export interface OperandRule {
  readonly type: OperandType;
  /** Any number of them, as one list; the last operand only. */
  readonly many?: boolean;
  /** The one unit that does, such as `EUR` or `percent`; an empty one is a bare number. Any where it is left out. */
  readonly unit?: string;
  /** May be written into the call, such as a number of digits; every other operand comes from a source. */
  readonly mayBeWritten?: boolean;
}

/** The operands of a calculation by name, in the order of a call. */
export type OperandRules = { readonly [name: string]: OperandRule };

/** The values that a calculation is handed, by name. */
export type OperandsOf<R extends OperandRules> = {
  readonly [N in keyof R]: R[N] extends { readonly many: true }
    ? readonly OperandTypes[R[N]["type"]][]
    : OperandTypes[R[N]["type"]];
};

/** What comes out of a calculation; a text is a date, a time or wording. */
export type CalculationResult = Quantity | string;

/**
 * A pure function that a capability registers: a model names it and what it is to be run on, code runs it. Made by `defineCalculation`.
 * It throws `calculation_refused` for operands that it does not work on, such as amounts of two currencies.
 */
export interface Calculation {
  readonly name: string;
  readonly version: string;
  /** One sentence that the model is shown. */
  readonly description: string;
  readonly operands: OperandRules;
  // The type of the operands ends here: a caller hands over only what fits the rules.
  readonly run: (operands: never) => CalculationResult;
}

/** A calculation whose function has the types of its operands. */
export type TypedCalculation<R extends OperandRules> = Omit<Calculation, "operands" | "run"> & {
  readonly operands: R;
  readonly run: (operands: OperandsOf<R>) => CalculationResult;
};

/** A calculation over operands, as a model names it in a text: each a field of a record, words of a source, or a calculation. */
export type Expression =
  | { readonly kind: "calculation"; readonly name: string; readonly of: readonly Expression[] }
  /** A field of what a need brought; of several rows a list. */
  | { readonly kind: "field"; readonly need: string; readonly field: string }
  /** Words that stand in a source: in the one named, else in that of the claim. */
  | { readonly kind: "quote"; readonly text: string; readonly source: string | null }
  /** A number written into the call; only for an operand that may be written. */
  | { readonly kind: "written"; readonly text: string };

/** Where an operand was taken from, as the entry and a person are shown it. */
export interface OperandSource {
  /** The id of the context item. */
  readonly item: string;
  /** The field of the record, or from and to within the passage's text. */
  readonly at: string | { readonly from: number; readonly to: number };
}

/** A value with all that it was calculated from, or why there is none. */
export type Calculated =
  | {
      readonly kind: "value";
      readonly value: Quantity | Json;
      readonly sources: readonly OperandSource[];
      /** The calculations that were run, as `name@version`. */
      readonly by: readonly string[];
    }
  | { readonly kind: "refused"; readonly rule: CalculationFault; readonly reason: string };

/** Why a calculation was refused. */
export type CalculationFault =
  | "unknown_calculation"
  | "wrong_operands"
  | "not_in_source"
  | "not_loaded"
  | "secret"
  | "not_calculable";

/** Units of the fields of a record, by field. */
export type FieldUnits = { readonly [field: string]: FieldUnit };
