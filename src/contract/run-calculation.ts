import type { Calculation, CalculationResult, OperandRule, OperandType } from "./calculation.ts";
import { dayOf, instantOf } from "./dates.ts";
import { isCountersignError, messageOf } from "./errors.ts";
import { decimalText, exactOf, numberOf } from "./exact.ts";
import type { Json } from "./json.ts";
import type { Quantity } from "./quantity.ts";

/** What a calculation made of its operands, or why they are not ones for it. */
export type Ran =
  | { readonly kind: "value"; readonly value: CalculationResult }
  | { readonly kind: "refused"; readonly reason: string };

/** An operand before it is held against its rule. */
export type Operand = Quantity | Json;

/** Runs a calculation on operands in the order of its rules, each held against its rule. Never throws. */
export function runCalculation({ operands: rules, run }: Calculation, operands: readonly Operand[]): Ran {
  const named: { [name: string]: unknown } = {};
  const entries = Object.entries(rules);
  for (const [place, [name, rule]] of entries.entries()) {
    const given = rule.many === true ? listed(operands.slice(place)) : operands[place];
    const taken = given === undefined ? undefined : take(rule, given);
    if (taken === undefined) return { kind: "refused", reason: `\`${name}\` is ${inWords(rule)}` };
    named[name] = taken;
  }
  if (operands.length > entries.length && entries.at(-1)?.[1].many !== true)
    return { kind: "refused", reason: `it takes ${entries.length} operands` };
  try {
    // Each operand was held against its rule above.
    return { kind: "value", value: run(named as never) };
  } catch (thrown) {
    return { kind: "refused", reason: isCountersignError(thrown, "calculation_refused") ? messageOf(thrown) : "it failed" };
  }
}

/** Says whether an operand is a quantity and no plain JSON object. */
export function isQuantity(value: unknown): value is Quantity {
  return typeof value === "object" && value !== null && "value" in value && "unit" in value && "scale" in value;
}

/** The result of a calculation as plain JSON: a quantity as its number; `undefined` for one that JSON cannot hold. */
export function jsonOf(result: CalculationResult): Json | undefined {
  return typeof result === "string" ? result : numberOf(result.value);
}

/** Several operands are a list; one list stands for its elements. */
function listed(operands: readonly Operand[]): readonly Operand[] | undefined {
  const [only] = operands;
  if (operands.length === 1 && Array.isArray(only)) return only as readonly Operand[]; // a list is one of JSON values
  return operands.length === 0 ? undefined : operands;
}

function take(rule: OperandRule, given: Operand | readonly Operand[]): unknown {
  if (rule.many !== true) return takeOne(rule, given as Operand); // one was given for one
  const all = (given as readonly Operand[]).map((one) => takeOne(rule, one)); // `listed` made a list
  return all.includes(undefined) ? undefined : all;
}

function takeOne({ type, unit }: OperandRule, given: Operand): unknown {
  if (type === "text") return textOf(given);
  if (type !== "quantity") return tests[type](given) ? given : undefined;
  const quantity = isQuantity(given) ? given : bareNumber(given);
  return quantity !== undefined && (unit === undefined || quantity.unit === unit) ? quantity : undefined;
}

/** A number that no double holds to the unit is no exact one. */
function bareNumber(given: Json): Quantity | undefined {
  const value = typeof given === "number" && Math.abs(given) <= Number.MAX_SAFE_INTEGER ? exactOf(given) : undefined;
  return value === undefined ? undefined : { value, unit: "", scale: "one" };
}

/** A text, or a bare number in its digits: without its unit or scale a number would be another. */
function textOf(given: Operand): string | undefined {
  if (typeof given === "string") return given;
  if (typeof given === "number") return String(given);
  return isQuantity(given) && given.unit === "" && given.scale === "one" ? decimalText(given.value) : undefined;
}

const tests: Readonly<Record<Exclude<OperandType, "quantity" | "text">, (given: Operand) => boolean>> = {
  date: (given) => typeof given === "string" && dayOf(given) !== undefined,
  time: (given) => typeof given === "string" && instantOf(given) !== undefined,
  list: (given) => Array.isArray(given),
};

function inWords({ type, many, unit }: OperandRule): string {
  const one = { quantity: "a number", date: "a date", time: "a time of a day", text: "a text", list: "a list" }[type];
  const of = unit === undefined ? "" : unit === "" ? " without a unit" : ` in ${unit}`;
  return many === true ? `one or several, each ${one}${of}` : `${one}${of}`;
}
