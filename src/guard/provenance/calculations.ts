import { builtInCalculations } from "../../contract/arithmetic.ts";
import type { Calculation } from "../../contract/calculation.ts";
import type { Json } from "../../contract/json.ts";
import { jsonOf, runCalculation } from "../../contract/run-calculation.ts";

/** Calculations by name. Closed: what is not among them does not resolve. */
export type Calculations = ReadonlyMap<string, Calculation>;

/** Those that are always there and those that a capability registers beside them. */
export function calculationsWith(registered: readonly Calculation[]): Calculations {
  if (registered.length === 0) return builtInCalculations;
  return new Map([...registered.map((one) => [one.name, one] as const), ...builtInCalculations]);
}

/** Runs a calculation over plain values; `undefined` where there is none of that name, or it does not work on them. */
export function calculatedJson({
  calculations,
  name,
  values,
}: {
  calculations: Calculations;
  name: string;
  values: readonly Json[];
}): Json | undefined {
  const calculation = calculations.get(name);
  const ran = calculation === undefined ? undefined : runCalculation(calculation, values);
  return ran?.kind === "value" ? jsonOf(ran.value) : undefined;
}
