import type { OperandSource, OperandType } from "../../contract/calculation.ts";
import { type ContextItem, labelOf, type Passage, type RecordRow } from "../../contract/context.ts";
import { compare } from "../../contract/exact.ts";
import type { Fact } from "../../contract/fact.ts";
import type { FieldUnit, Quantity } from "../../contract/quantity.ts";
import { fieldQuantity, numbersIn, readNumber } from "../../contract/read-number.ts";
import type { Operand } from "../../contract/run-calculation.ts";

/** What stands in a source, with its place there. */
export interface FoundQuote {
  readonly operand: Operand;
  readonly at: OperandSource["at"];
}

/** The words, what they are to be, and how numbers are written in passages. */
export interface Quote {
  readonly text: string;
  readonly type: OperandType;
  readonly written?: FieldUnit["written"] | undefined;
}

/**
 * Looks for quoted words in a source. A number is found by its value, so `1452.4` finds `$ 1,452.4`, and counts as the source has it: with the
 * sign, unit and scale that it has there. Anything else is found word for word. `undefined` where it does not stand there.
 */
export function findQuote(item: ContextItem, { text, type, written }: Quote): FoundQuote | undefined {
  // A fact's value counts as one field of one row; what is remembered is no source of a number.
  if (item.kind === "fact") return findQuote(rowOf(item), { text, type, written });
  if (item.kind === "memory") return undefined;
  if (type !== "quantity") return item.kind === "passage" ? wordsOf(item, text) : fieldWith(item, text);
  const said = readNumber(text, "english");
  if (said === undefined) return undefined;
  return item.kind === "passage" ? numberOf(item, said, written) : fieldOf(item, said);
}

function rowOf({ id, need, object, label, learntAt }: Fact): RecordRow {
  return { kind: "record", id, need, query: "facts", row: { object }, labels: { object: label }, readAt: learntAt };
}

function numberOf({ text }: Passage, said: Quantity, written: Quote["written"]): FoundQuote | undefined {
  const found = numbersIn(text, written).find(({ quantity }) => isSame(said, quantity));
  return found === undefined ? undefined : { operand: found.quantity, at: { from: found.from, to: found.to } };
}

function fieldOf(record: RecordRow, said: Quantity): FoundQuote | undefined {
  for (const [field, value] of Object.entries(record.row)) {
    if (labelOf(record, field) === "secret") continue;
    const quantity = fieldQuantity({ value, row: record.row, unit: record.units?.[field] });
    if (quantity !== undefined && isSame(said, quantity)) return { operand: quantity, at: field };
    const within = quantity === undefined && typeof value === "string" ? numbersIn(value) : [];
    const part = within.find((one) => isSame(said, one.quantity));
    if (part !== undefined) return { operand: part.quantity, at: field };
  }
  return undefined;
}

/** The same number; what is said of unit and scale must not differ, and need not be said. */
function isSame(said: Quantity, found: Quantity): boolean {
  if (said.unit !== "" && said.unit !== found.unit) return false;
  if (said.scale !== "one" && said.scale !== found.scale) return false;
  return compare(said.value, found.value) === 0;
}

function wordsOf({ text }: Passage, words: string): FoundQuote | undefined {
  for (let from = text.indexOf(words); words !== "" && from !== -1; from = text.indexOf(words, from + 1)) {
    const to = from + words.length;
    if (!/[\p{L}\p{N}_]$/u.test(text.slice(0, from)) && !/^[\p{L}\p{N}_]/u.test(text.slice(to)))
      return { operand: words, at: { from, to } };
  }
  return undefined;
}

function fieldWith(record: RecordRow, text: string): FoundQuote | undefined {
  const found = Object.entries(record.row).find(([field, value]) => value === text && labelOf(record, field) !== "secret");
  return found === undefined ? undefined : { operand: text, at: found[0] };
}
