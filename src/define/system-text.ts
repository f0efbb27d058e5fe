import type { Calculation } from "../contract/calculation.ts";
import type { WorkedExample } from "../contract/capability.ts";
import { canonicalJson } from "../contract/json.ts";

/**
 * The system text of a prompt: what to do, when to decline, and the worked examples. It is the same text, byte by byte, for the same
 * parts, so make it once beside the definition: providers then find it in their caches.
 * @example
 * const system = systemText({ instructions: "You close tickets.", refuses: "The ticket is not solved.", examples: [] });
 */
export function systemText<I, D>({
  instructions,
  refuses,
  examples,
  calculations = [],
}: {
  readonly instructions: string;
  readonly refuses: string | null;
  readonly examples: readonly WorkedExample<I, D>[];
  /** Those of the capability's list: how the model names them is told with them. */
  readonly calculations?: readonly Calculation[];
}): string {
  const parts = [instructions.trim()];
  if (refuses !== null) parts.push(`When to decline: ${refuses.trim()}`);
  if (calculations.length > 0) parts.push([howToCalculate, ...calculations.map(callOf)].join("\n"));
  if (examples.length > 0)
    parts.push(["Worked examples, each with what was given for it alone:", ...examples.map(lineOf)].join("\n"));
  return parts.join("\n\n");
}

const howToCalculate =
  'Never calculate. Name a calculation inside a claim, such as {{sum(lines.amount) | money}} or {{percent_change(now.total, "1,202.9"@[source id])}}: each operand is a field of a record, words copied from a source, or a calculation; code runs it. Formats: money, number:2, percent:1, date. There are:';

function callOf({ name, operands, description }: Calculation): string {
  const named = Object.entries(operands).map(([operand, { type, many, unit }]) => {
    const of = unit === undefined || unit === "" ? type : `${type} in ${unit}`;
    return `${operand}: ${many === true ? `any number of ${of}` : of}`;
  });
  return `- ${name}(${named.join(", ")}): ${description}`;
}

function lineOf<I, D>({ inputs, given, decision }: WorkedExample<I, D>, place: number): string {
  const context = given === "" ? "" : `, given ${given}`;
  return `${place + 1}. ${canonicalJson(inputs)}${context} -> ${canonicalJson(decision)}`;
}
