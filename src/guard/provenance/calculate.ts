import type { Calculated, CalculationFault, Expression, OperandRule, OperandSource } from "../../contract/calculation.ts";
import { type ContextItem, type LoadedContext, labelOf, type RecordRow } from "../../contract/context.ts";
import type { Json } from "../../contract/json.ts";
import { bare, type FieldUnit, type Quantity } from "../../contract/quantity.ts";
import { fieldQuantity } from "../../contract/read-number.ts";
import { type Operand, runCalculation } from "../../contract/run-calculation.ts";
import type { Calculations } from "./calculations.ts";
import { findQuote } from "./find-quote.ts";

/** What a calculation may draw on: what was loaded, the calculations that there are, and the source of the claim that it stands in. */
export interface Calculating {
  readonly context: LoadedContext;
  readonly calculations: Calculations;
  /** The id of the claim's own source. */
  readonly source: string;
  /** How numbers are written in passages; left out, one that can be read in two ways is none. */
  readonly written?: FieldUnit["written"];
}

/**
 * Runs what a model named, by code. Every operand comes from what was loaded for this decision: a field of a record, or words that stand in
 * a source; a number of the model's own is refused.
 */
export function calculate(expression: Expression, at: Calculating): Calculated {
  const found = operandOf(expression, { ...at, rule: anything, isWhole: false });
  if (found.kind === "refused") return found;
  const { operand, sources, by } = found;
  return { kind: "value", value: operand, sources, by };
}

type Found =
  | {
      readonly kind: "found";
      readonly operand: Operand;
      readonly sources: readonly OperandSource[];
      readonly by: readonly string[];
    }
  | { readonly kind: "refused"; readonly rule: CalculationFault; readonly reason: string };

/** `isWhole`: all rows of a need, as one list. */
type Place = Calculating & { readonly rule: OperandRule; readonly isWhole: boolean };

const anything: OperandRule = { type: "quantity" };

function operandOf(expression: Expression, place: Place): Found {
  switch (expression.kind) {
    case "calculation":
      return runOn(expression, place);
    case "field":
      return place.isWhole ? wholeField(expression, place) : oneField(expression, place);
    case "quote":
      return quoted(expression, place);
    case "written":
      if (place.rule.mayBeWritten !== true) return refuse("not_in_source", `\`${expression.text}\` is in no source`);
      return { kind: "found", operand: bare(expression.text), sources: [], by: [] };
  }
}

function runOn({ name, of }: Expression & { kind: "calculation" }, at: Calculating): Found {
  const calculation = at.calculations.get(name);
  if (calculation === undefined) return refuse("unknown_calculation", `there is no calculation \`${name.slice(0, 50)}\``);
  const rules = Object.values(calculation.operands);
  const found: Given[] = [];
  for (const [i, one] of of.entries()) {
    const rule = rules[Math.min(i, rules.length - 1)] ?? anything;
    // Of several rows never the claim's own alone: a sum over a need means all of it.
    const isWhole = rule.type === "list" || rule.many === true;
    const operand = operandOf(one, { ...at, rule, isWhole });
    if (operand.kind === "refused") return operand;
    found.push({ ...operand, isRows: one.kind === "field" });
  }
  const ran = runCalculation(calculation, operandsOf(rules, found));
  if (ran.kind === "refused") return refuse("not_calculable", `\`${name}\`: ${ran.reason}`);
  const by = [...found.flatMap((one) => one.by), `${name}@${calculation.version}`];
  return { kind: "found", operand: ran.value, sources: found.flatMap(({ sources }) => sources), by: [...new Set(by)] };
}

type Given = Found & { readonly kind: "found"; readonly isRows: boolean };

/** What is given for many is one list, in which the rows of a field stand one by one. */
function operandsOf(rules: readonly OperandRule[], found: readonly Given[]): readonly Operand[] {
  const last = rules.at(-1)?.many === true ? rules.length - 1 : found.length;
  const many = found
    .slice(last)
    .flatMap(({ operand, isRows }) => (isRows ? (operand as unknown as readonly Operand[]) : [operand])); // rows are a list
  const one = found.slice(0, last).map(({ operand }) => operand);
  // A list of operands stands for each of them, quantities too.
  return many.length === 0 ? one : [...one, many as unknown as Json];
}

type Field = Expression & { kind: "field" };

function oneField({ need, field }: Field, place: Place): Found {
  const rows = rowsOf(place.context, need);
  const row = rows.find(({ id }) => id === place.source) ?? (rows.length === 1 ? rows[0] : undefined);
  if (row === undefined)
    return refuse("not_loaded", rows.length === 0 ? `\`${need}\` was not loaded` : `\`${need}\` has several rows`);
  return fieldOf(row, field, place.rule);
}

function wholeField({ need, field }: Field, place: Place): Found {
  const rows = rowsOf(place.context, need);
  if (rows.length === 0) return refuse("not_loaded", `\`${need}\` was not loaded`);
  const values: Operand[] = [];
  for (const row of rows) {
    const one = fieldOf(row, field, place.rule);
    if (one.kind === "refused") return one;
    values.push(one.operand);
  }
  const sources = rows.map(({ id }) => ({ item: id, at: field }));
  // A list of operands stands for each of them.
  return { kind: "found", operand: values as unknown as Json, sources, by: [] };
}

function rowsOf({ items }: LoadedContext, need: string): readonly RecordRow[] {
  return items.filter((item): item is RecordRow => item.kind === "record" && item.need === need);
}

function fieldOf(record: RecordRow, field: string, { type }: OperandRule): Found {
  const value = Object.hasOwn(record.row, field) ? record.row[field] : undefined;
  if (value === undefined || value === null) return refuse("not_loaded", `\`${record.need}.${field}\` holds nothing`);
  if (labelOf(record, field) === "secret") return refuse("secret", `\`${record.need}.${field}\` is a secret`);
  if (record.masked?.includes(field) === true) return refuse("secret", `\`${record.need}.${field}\` is shown in part`);
  const sources = [{ item: record.id, at: field }];
  const quantity = fieldQuantity({ value, row: record.row, unit: record.units?.[field] });
  // As a text, a number that has a unit would lose it: whoever takes texts is handed the quantity, and refuses it.
  const isNumber = type === "quantity" || (type === "text" && record.units?.[field] !== undefined && !isPlain(quantity));
  return { kind: "found", operand: (isNumber ? quantity : undefined) ?? value, sources, by: [] };
}

function isPlain(quantity: Quantity | undefined): boolean {
  return quantity === undefined || (quantity.unit === "" && quantity.scale === "one");
}

function quoted({ text, source }: Expression & { kind: "quote" }, { context, source: own, rule, written }: Place): Found {
  const item: ContextItem | undefined = context.items.find(({ id }) => id === (source ?? own));
  if (item === undefined) return refuse("not_loaded", "the source of a quoted value was not loaded");
  const found = findQuote(item, { text, type: rule.type, written });
  if (found === undefined) return refuse("not_in_source", `\`${text.slice(0, 50)}\` does not stand in its source`);
  if (found === "several")
    return refuse("not_in_source", `\`${text.slice(0, 50)}\` stands in its source in several units; quote it with its own`);
  return { kind: "found", operand: found.operand, sources: [{ item: item.id, at: found.at }], by: [] };
}

function refuse(rule: CalculationFault, reason: string): Found & { kind: "refused" } {
  return { kind: "refused", rule, reason };
}
