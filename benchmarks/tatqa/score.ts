import type { Calculated } from "../../src/contract/calculation.ts";
import type { LoadedContext } from "../../src/contract/context.ts";
import { decimalText } from "../../src/contract/exact.ts";
import type { Quantity } from "../../src/contract/quantity.ts";
import { isQuantity } from "../../src/contract/run-calculation.ts";
import { calculate } from "../../src/guard/provenance/calculate.ts";
import { type Calculations, calculationsWith } from "../../src/guard/provenance/calculations.ts";
import { readExpression } from "../../src/guard/provenance/expression.ts";
import { type Derivation, readDerivation } from "./derivation.ts";
import { type Operand, type Preference, type Program, placesOf, programOf } from "./program.ts";
import type { Question } from "./read-set.ts";

/** What became of one derivation. */
export type Outcome =
  | {
      readonly kind: "calculated";
      readonly value: Quantity;
      readonly isMatch: boolean;
      readonly expression: string;
      readonly operands: readonly Operand[];
    }
  | { readonly kind: "unreadable" }
  | { readonly kind: "unbound"; readonly numbers: readonly string[] }
  | { readonly kind: "refused"; readonly reason: string; readonly expression: string };

const calculations: Calculations = calculationsWith([]);

/** Calculates one gold derivation over its report by registered calculations. */
export function calculatedFor(question: Question, context: LoadedContext): Outcome {
  const derivation = readDerivation(question.derivation);
  if (derivation === null) return { kind: "unreadable" };
  let last: Outcome = { kind: "unreadable" };
  const isPercent = question.derivation_scale === 100;
  // The first program that is calculated counts, whatever it gives.
  for (const preference of preferencesOf(derivation, context)) {
    const program = programOf({ derivation, question: question.question, isPercent, context, preference });
    const outcome = outcomeOf({ program, question, context });
    if (outcome.kind !== "refused") return outcome;
    last = outcome;
  }
  return last;
}

/** Units and scales in which the numbers of a derivation stand in the report, those of most of them first. */
function preferencesOf(derivation: Derivation, context: LoadedContext): readonly Preference[] {
  const counts = new Map<string, { readonly preference: Preference; count: number }>();
  for (const number of new Set(numbersOf(derivation))) {
    const places = [number, `-${number}`].flatMap((written) => placesOf(written, context));
    const groups = new Map(places.map(({ quantity: { unit, scale } }) => [`${unit} ${scale}`, { unit, scale }]));
    for (const [name, preference] of groups) {
      const known = counts.get(name) ?? { preference, count: 0 };
      counts.set(name, { preference, count: known.count + 1 });
    }
  }
  const ordered = [...counts.values()].toSorted((a, b) => b.count - a.count).map(({ preference }) => preference);
  return ordered.length === 0 ? [{ unit: "", scale: "one" }] : ordered;
}

function outcomeOf({ program, question, context }: { program: Program; question: Question; context: LoadedContext }): Outcome {
  if (program.kind === "unbound") return program;
  const { operands } = program;
  const [expression, calculated] = inPercent(program.expression, { question, context });
  if (calculated.kind === "refused") return { kind: "refused", reason: calculated.reason, expression };
  const { value } = calculated;
  if (!isQuantity(value)) return { kind: "refused", reason: "it gives no number", expression };
  return { kind: "calculated", value, isMatch: isMatch(value, question.answer), expression, operands };
}

/** What is asked for in percent and comes out as a ratio is one calculation more. */
function inPercent(
  expression: string,
  { question, context }: { question: Question; context: LoadedContext },
): readonly [string, Calculated] {
  const calculated = evaluate(expression, context);
  const isRatio = calculated.kind === "value" && isQuantity(calculated.value) && calculated.value.unit === "";
  const isAsked = question.derivation_scale === 100 || /\*\s*100\s*$/.test(question.derivation);
  if (!isRatio || !isAsked) return [expression, calculated];
  return [`as_percent(${expression})`, evaluate(`as_percent(${expression})`, context)];
}

/** Runs an expression as a claim of the report's first line would have it run. */
export function evaluate(expression: string, context: LoadedContext): Calculated {
  const read = readExpression(expression);
  if (read === undefined) return { kind: "refused", rule: "wrong_operands", reason: "it is no expression" };
  return calculate(read, { context, calculations, source: context.items[0]?.id ?? "", written: "english" });
}

/** Within a hundredth or half a percent of the gold answer, once rounded to two digits. */
function isMatch({ value }: Quantity, answer: unknown): boolean {
  const gold = Number(answer);
  const given = Number(decimalText(value, 2));
  return Math.abs(given - gold) <= Math.max(0.01 + 1e-9, Math.abs(gold) * 0.005);
}

/** The numbers of a derivation, each as it was written. */
function numbersOf(derivation: Derivation): readonly string[] {
  switch (derivation.kind) {
    case "number":
      return [derivation.text];
    case "negated":
      return numbersOf(derivation.of);
    case "operation":
      return [...numbersOf(derivation.left), ...numbersOf(derivation.right)];
  }
}
