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
}: {
  readonly instructions: string;
  readonly refuses: string | null;
  readonly examples: readonly WorkedExample<I, D>[];
}): string {
  const parts = [instructions.trim()];
  if (refuses !== null) parts.push(`When to decline: ${refuses.trim()}`);
  if (examples.length > 0)
    parts.push(["Worked examples, each with what was given for it alone:", ...examples.map(lineOf)].join("\n"));
  return parts.join("\n\n");
}

function lineOf<I, D>({ inputs, given, decision }: WorkedExample<I, D>, place: number): string {
  const context = given === "" ? "" : `, given ${given}`;
  return `${place + 1}. ${canonicalJson(inputs)}${context} -> ${canonicalJson(decision)}`;
}
