import { type Detail, detailsOf } from "./details.ts";
import { bearsOut, type Known } from "./known-details.ts";

const binding = /\{\{[^{}]*\}\}/g;

/** What of a statement none of its sources bears out. Bindings are left out: code renders them, so they trace by construction. */
export function strayDetails(
  text: string,
  { known, named }: { known: readonly Known[]; named: ReadonlySet<string> },
): readonly Detail[] {
  // Something must stay in a binding's place, or what stands around it would read as one word.
  return detailsOf(text.replace(binding, " \u0001 "), named).filter((said) => !known.some((one) => bearsOut(one, said)));
}
