import type { ContextItem, LoadedContext } from "../../src/contract/context.ts";
import { compare, exactOf } from "../../src/contract/exact.ts";
import type { Quantity, Scale } from "../../src/contract/quantity.ts";
import { fieldQuantity } from "../../src/contract/read-number.ts";
import { findQuote, operandsIn } from "../../src/guard/provenance/find-quote.ts";
import type { Derivation } from "./derivation.ts";

/** Where a number of a derivation stands in the report, as an operand. */
export interface Operand {
  readonly written: string;
  readonly text: string;
  readonly quantity: Quantity;
}

/** A derivation as calls of registered calculations, or the numbers of it that stand nowhere in the report. */
export type Program =
  | { readonly kind: "program"; readonly expression: string; readonly operands: readonly Operand[] }
  | { readonly kind: "unbound"; readonly numbers: readonly string[] };

/** Which of several places of a number is taken first: one whose numbers are in this, where there is one. */
export interface Preference {
  readonly unit: string;
  readonly scale: Scale;
}

interface Writing {
  readonly context: LoadedContext;
  readonly preference: Preference;
  readonly years: readonly { readonly first: string; readonly last: string }[];
  readonly operands: Operand[];
  readonly missing: string[];
}

/** Writes a derivation as an agent would have proposed it: named calculations over fields of the table and words of the text. */
export function programOf({
  derivation,
  question,
  isPercent,
  context,
  preference,
}: {
  derivation: Derivation;
  /** What is asked, which may name a span of years. */
  question: string;
  isPercent: boolean;
  context: LoadedContext;
  preference: Preference;
}): Program {
  const years = [...question.matchAll(/\b(20\d\d)\s?[-\u2013]\s?(20\d\d)\b/g)].map(([, first = "", last = ""]) => ({
    first,
    last,
  }));
  const writing: Writing = { context, preference, years, operands: [], missing: [] };
  const hundredfold = timesHundred(derivation);
  const expression =
    isPercent || hundredfold !== null ? asPercent(hundredfold ?? derivation, writing) : write(derivation, writing);
  if (writing.missing.length > 0) return { kind: "unbound", numbers: writing.missing };
  return { kind: "program", expression, operands: writing.operands };
}

/** Every place at which a number stands in the report. */
export function placesOf(written: string, context: LoadedContext): readonly Operand[] {
  const value = exactOf(written);
  if (value === undefined) return [];
  return context.items.flatMap((item): Operand[] => {
    if (item.kind === "passage") {
      const found = operandsIn(item.text, "english").filter(({ quantity }) => compare(quantity.value, value) === 0);
      // Quoted with its unit and scale as it stands there, since the same number may stand there in another.
      return found.map(({ quantity, from, to }) => ({ written, text: `"${item.text.slice(from, to)}"@[${item.id}]`, quantity }));
    }
    if (item.kind !== "record") return [];
    return Object.entries(item.row).flatMap(([field, cell]) => {
      const quantity = fieldQuantity({ value: cell, row: item.row, unit: item.units?.[field] });
      if (quantity === undefined || compare(quantity.value, value) !== 0) return [];
      return [{ written, text: `${item.need}.${field}`, quantity }];
    });
  });
}

function timesHundred(derivation: Derivation): Derivation | null {
  if (derivation.kind !== "operation" || derivation.sign !== "*") return null;
  return derivation.right.kind === "number" && derivation.right.text === "100" ? derivation.left : null;
}

/** A change or a share in percent is a calculation of its own. */
function asPercent(derivation: Derivation, writing: Writing): string {
  const change = changeOf(derivation);
  if (change !== null) return call("percent_change", [change.to, change.from], writing);
  if (derivation.kind === "operation" && derivation.sign === "/" && countOf(derivation.right) === null)
    return call("ratio_percent", [derivation.left, derivation.right], writing);
  return write(derivation, writing);
}

/** `(to - from) / from` and `to / from - 1`. */
function changeOf(derivation: Derivation): { readonly to: Derivation; readonly from: Derivation } | null {
  if (derivation.kind !== "operation") return null;
  const { sign, left, right } = derivation;
  if (sign === "/" && left.kind === "operation" && left.sign === "-" && isSame(left.right, right))
    return { to: left.left, from: right };
  if (sign === "-" && isNumber(right, "1") && left.kind === "operation" && left.sign === "/")
    return { to: left.left, from: left.right };
  return null;
}

function write(derivation: Derivation, writing: Writing): string {
  switch (derivation.kind) {
    case "number":
      return operand(derivation.text, writing);
    case "negated":
      return derivation.of.kind === "number"
        ? operand(`-${derivation.of.text}`, writing)
        : call("negated", [derivation.of], writing);
    case "operation":
      return writeOperation(derivation, writing);
  }
}

const names = { "+": "add", "-": "subtract", "*": "multiply", "/": "divide" } as const;

function writeOperation(derivation: Derivation & { kind: "operation" }, writing: Writing): string {
  const { sign, left, right } = derivation;
  const change = changeOf(derivation);
  if (change !== null && sign === "-") return call("change_ratio", [change.to, change.from], writing);
  if (sign === "-" && isNumber(left, "1") && right.kind === "number" && right.isPercent)
    return call("rest_percent", [right], writing);
  return (sign === "/" ? writeQuotient(left, right, writing) : null) ?? call(names[sign], [left, right], writing);
}

/** How many there are is counted by code, whether it was written as a number or as years. */
function writeQuotient(left: Derivation, right: Derivation, writing: Writing): string | null {
  const count = countOf(right);
  const terms = [termsOf(left), summandsOf(left)].find(({ length }) => length === count);
  if (terms !== undefined && terms.length > 1) return call("mean", terms, writing);
  const span = writing.years.find(({ first, last }) => Number(last) - Number(first) + 1 === count);
  if (span !== undefined)
    return call("divide", [left], writing, `years_inclusive(${yearAt(span.first, writing)}, ${yearAt(span.last, writing)})`);
  if (isNumber(left, "1")) return call("inverse", [right], writing);
  const years = yearsOf(right);
  return years === null
    ? null
    : `divide(${write(left, writing)}, ${call("years_inclusive", [years.first, years.last], writing)})`;
}

function call(name: string, of: readonly Derivation[], writing: Writing, ...more: readonly string[]): string {
  return `${name}(${[...of.map((one) => write(one, writing)), ...more].join(", ")})`;
}

/** A year that stands in the report, alone or in a span of years. */
function yearAt(year: string, { context, missing }: Writing): string {
  const isThere = (one: ContextItem) => typeof findQuote(one, { text: year, type: "quantity" }) === "object";
  const item = context.items.find(isThere);
  if (item === undefined) missing.push(year);
  return `"${year}"@[${item?.id}]`;
}

/** What is added, each as it stands between the plus signs. */
function summandsOf(derivation: Derivation): readonly Derivation[] {
  if (derivation.kind !== "operation" || derivation.sign !== "+") return [derivation];
  return [...summandsOf(derivation.left), derivation.right];
}

/** The terms of a sum, each with its sign; of anything else the thing itself. */
function termsOf(derivation: Derivation): readonly Derivation[] {
  if (derivation.kind === "negated") return termsOf(derivation.of).map(turned);
  if (derivation.kind !== "operation" || (derivation.sign !== "+" && derivation.sign !== "-")) return [derivation];
  const last = derivation.sign === "+" ? derivation.right : turned(derivation.right);
  return [...termsOf(derivation.left), last];
}

function turned(derivation: Derivation): Derivation {
  return derivation.kind === "negated" ? derivation.of : { kind: "negated", of: derivation };
}

/** A small whole number that counts, or `null`. */
function countOf(derivation: Derivation): number | null {
  return derivation.kind === "number" && !derivation.isPercent && /^[2-9]$|^1[0-2]$/.test(derivation.text)
    ? Number(derivation.text)
    : null;
}

/** `last - first + 1`. */
function yearsOf(derivation: Derivation): { readonly first: Derivation; readonly last: Derivation } | null {
  if (derivation.kind !== "operation" || derivation.sign !== "+" || !isNumber(derivation.right, "1")) return null;
  const { left } = derivation;
  return left.kind === "operation" && left.sign === "-" ? { first: left.right, last: left.left } : null;
}

function isNumber(derivation: Derivation, text: string): boolean {
  return derivation.kind === "number" && derivation.text === text && !derivation.isPercent;
}

function isSame(one: Derivation, other: Derivation): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** An operand by its place; where only its opposite stands in the report, by that and a change of sign that code makes. */
function operand(written: string, { context, preference, operands, missing }: Writing): string {
  const opposite = written.startsWith("-") ? written.slice(1) : `-${written}`;
  const taken = preferred([...placesOf(written, context), ...placesOf(opposite, context)], preference);
  if (taken === undefined) {
    missing.push(written);
    return written;
  }
  operands.push(taken);
  return taken.written === written ? taken.text : `negated(${taken.text})`;
}

function preferred(places: readonly Operand[], { unit, scale }: Preference): Operand | undefined {
  return places.find(({ quantity }) => quantity.unit === unit && quantity.scale === scale) ?? places[0];
}
