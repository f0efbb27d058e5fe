import type { OperandSource, OperandType } from "../../contract/calculation.ts";
import { type ContextItem, labelOf, type Passage, type RecordRow } from "../../contract/context.ts";
import { compare } from "../../contract/exact.ts";
import type { Fact } from "../../contract/fact.ts";
import type { Json } from "../../contract/json.ts";
import type { FieldUnit, Quantity } from "../../contract/quantity.ts";
import { type FoundNumber, fieldQuantity, numbersIn, readNumber } from "../../contract/read-number.ts";
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
 * sign, unit and scale that it has there. Anything else is found word for word. `undefined` where it does not stand there, `several` where it
 * stands there in two units or scales and the quote does not say which.
 */
export function findQuote(item: ContextItem, { text, type, written }: Quote): FoundQuote | "several" | undefined {
  // A fact's value counts as one field of one row; what is remembered is no source of a number.
  if (item.kind === "fact") return findQuote(rowOf(item), { text, type, written });
  if (item.kind === "memory") return undefined;
  if (type !== "quantity") return item.kind === "passage" ? wordsOf(item, text) : fieldWith(item, text);
  const said = readNumber(text, "english");
  if (said === undefined) return undefined;
  return agreed(said, item.kind === "passage" ? numbersOf(item, written) : fieldNumbers(item));
}

/** The numbers of a text that can be operands: those that are understood with all that stands beside them, and are no part of a date or a time. */
export function operandsIn(text: string, written?: FieldUnit["written"]): readonly FoundNumber[] {
  const dates = [...text.matchAll(date)].map(({ index, 0: whole }) => ({ from: index, to: index + whole.length }));
  return numbersIn(text, written).filter(
    ({ isClear, from, to }) => isClear && !dates.some((one) => from < one.to && one.from < to),
  );
}

const month =
  "(?:J(?:an(?:uary)?|une?|uly?)|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?";
const day = "\\d{1,2}(?:st|nd|rd|th)?";
const date = new RegExp(
  [
    "(?<!\\d)\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[+-]\\d{2}:?\\d{2})?)?(?!\\d)",
    "(?<!\\d)\\d{1,4}[/.]\\d{1,2}[/.]\\d{2,4}(?!\\d)",
    "(?<!\\d)\\d{1,2}:\\d{2}(?::\\d{2})?(?!\\d)",
    `(?<!\\d)${day}\\.?\\s(?:of\\s)?${month}(?!\\p{L})(?:,?\\s\\d{4}(?!\\d))?`,
    `(?<!\\p{L})${month}\\s${day}(?![\\p{L}\\d]|[.,]\\d)(?:,?\\s\\d{4}(?!\\d))?`,
    `(?<!\\p{L})${month}\\s\\d{4}(?!\\d)`,
  ].join("|"),
  "gu",
);

function rowOf({ id, need, object, label, learntAt }: Fact): RecordRow {
  return { kind: "record", id, need, query: "facts", row: { object }, labels: { object: label }, readAt: learntAt };
}

interface Candidate {
  readonly quantity: Quantity;
  readonly at: OperandSource["at"];
}

/** Numbers of one value in one unit and scale are one, wherever they stand. */
function agreed(said: Quantity, candidates: readonly Candidate[]): FoundQuote | "several" | undefined {
  const [first, ...rest] = candidates.filter(({ quantity }) => isSame(said, quantity));
  if (first === undefined) return undefined;
  const { quantity, at } = first;
  const isOne = rest.every((one) => one.quantity.unit === quantity.unit && one.quantity.scale === quantity.scale);
  return isOne ? { operand: quantity, at } : "several";
}

function numbersOf({ text }: Passage, written: Quote["written"]): readonly Candidate[] {
  return operandsIn(text, written).map(({ quantity, from, to }) => ({ quantity, at: { from, to } }));
}

function fieldNumbers(record: RecordRow): readonly Candidate[] {
  return openFields(record).flatMap(([field, value]): Candidate[] => {
    const quantity = fieldQuantity({ value, row: record.row, unit: record.units?.[field] });
    if (quantity !== undefined) return [{ quantity, at: field }];
    return typeof value === "string" ? operandsIn(value).map((one) => ({ quantity: one.quantity, at: field })) : [];
  });
}

/** Fields that may be repeated as they are: no secret, and none that is shown in part. */
function openFields(record: RecordRow): readonly (readonly [string, Json])[] {
  return Object.entries(record.row).filter(
    ([field]) => labelOf(record, field) !== "secret" && record.masked?.includes(field) !== true,
  );
}

/** The same number; what is said of unit and scale must not differ, and need not be said. */
function isSame(said: Quantity, found: Quantity): boolean {
  if (said.unit !== "" && said.unit !== found.unit) return false;
  if (said.scale !== "one" && said.scale !== found.scale) return false;
  return compare(said.value, found.value) === 0;
}

function wordsOf({ text }: Passage, words: string): FoundQuote | undefined {
  // A number's digits alone would leave its unit and scale behind.
  const numbers = readNumber(words, "english") === undefined ? null : numbersIn(text, "english");
  for (let from = text.indexOf(words); words !== "" && from !== -1; from = text.indexOf(words, from + 1)) {
    const to = from + words.length;
    const isWhole = numbers === null || numbers.some((one) => one.isClear && one.from === from && one.to === to);
    if (isWhole && !/[\p{L}\p{N}_]$/u.test(text.slice(0, from)) && !/^[\p{L}\p{N}_]/u.test(text.slice(to)))
      return { operand: words, at: { from, to } };
  }
  return undefined;
}

function fieldWith(record: RecordRow, text: string): FoundQuote | undefined {
  const found = openFields(record).find(([, value]) => value === text);
  return found === undefined ? undefined : { operand: text, at: found[0] };
}
