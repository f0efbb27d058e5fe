import { builtInCalculations } from "../contract/arithmetic.ts";
import type { Calculation, OperandRules, TypedCalculation } from "../contract/calculation.ts";
import { CountersignError } from "../contract/errors.ts";

/**
 * Defines a calculation that a capability registers: a pure function with a name, a version and typed operands, which a model names and
 * code runs. Throws `definition_invalid` where it breaks a rule.
 * @example
 * defineCalculation({
 *   name: "order_total", version: "1", description: "The sum of an order's lines with its tax.",
 *   operands: { rate: { type: "quantity", unit: "percent" }, lines: { type: "quantity", unit: "EUR", many: true } },
 *   run: ({ rate, lines }) => quantities.sum([quantities.sum(lines), quantities.times(rate, quantities.sum(lines))]),
 * });
 */
export function defineCalculation<const R extends OperandRules>(definition: TypedCalculation<R>): Calculation {
  const named = `calculation \`${definition.name}\``;
  // Calls name it, so the name is a word that a binding can hold.
  if (!nameForm.test(definition.name))
    throw invalid(`${named} needs a name of lower-case letters, digits and \`_\` that begins with a letter, at most 40`);
  if (builtInCalculations.has(definition.name)) throw invalid(`${named} has the name of one that is always there`);
  if (!/^[0-9A-Za-z.-]{1,40}$/.test(definition.version)) throw invalid(`${named} needs a version such as \`1\` or \`2.1\``);
  if (definition.description.trim() === "") throw invalid(`${named} needs a description that the model is shown`);
  const rules = Object.values(definition.operands);
  if (rules.length === 0) throw invalid(`${named} needs operands; a value without any is a constant of the capability's`);
  if (rules.slice(0, -1).some(({ many }) => many === true)) throw invalid(`${named} may take many of its last operand only`);
  // The type of the operands ends here on purpose: `run` is handed only what was held against these rules.
  return Object.freeze({ ...definition }) as unknown as Calculation;
}

/** Calculations that are always there, for a capability's list. Throws `definition_invalid` for a name that none has. */
export function calculationsNamed(...names: readonly string[]): readonly Calculation[] {
  return names.map((name) => {
    const known = builtInCalculations.get(name);
    if (known === undefined)
      throw invalid(`no calculation is named \`${name}\`; there are ${[...builtInCalculations.keys()].join(", ")}`);
    return known;
  });
}

/** Refuses two calculations of one name on a capability's list, and one that hides another that is always there. */
export function checkCalculations(named: string, calculations: readonly Calculation[]): void {
  for (const [place, one] of calculations.entries()) {
    if (calculations.findIndex(({ name }) => name === one.name) !== place)
      throw invalid(`${named} has two calculations named \`${one.name}\``);
    const known = builtInCalculations.get(one.name);
    if (known !== undefined && known !== one) throw invalid(`${named} gives \`${one.name}\` another meaning than it always has`);
  }
}

const nameForm = /^[a-z][a-z0-9_]{0,39}$/;

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
