import type { Decided } from "countersign";
import { numbersIn, sourceText } from "./numbers.ts";

/** A decision that says something, each statement with the id of its one source. */
export interface Claiming {
  readonly claims: readonly { readonly text: string; readonly source: string }[];
}

/** A citation that was not retrieved fails the whole answer: who invents a source may have invented the rest. */
export function checkSources({ decision: { claims }, context }: Decided<unknown, Claiming>) {
  const known = new Set(context.items.map((item) => item.id));
  const invented = claims.filter((claim) => !known.has(claim.source)).length;
  return { passed: invented === 0, evidence: `${claims.length} claims, ${invented} with a source that was not retrieved` };
}

/** A number that its source does not hold fails the whole answer. */
export function checkNumbers({ decision: { claims }, context }: Decided<unknown, Claiming>) {
  const strays = claims.flatMap((claim) => {
    const source = context.items.find((item) => item.id === claim.source);
    const known = new Set(source === undefined ? [] : numbersIn(sourceText(source)));
    return numbersIn(claim.text).filter((number) => !known.has(number));
  });
  return { passed: strays.length === 0, evidence: `${strays.length} numbers that do not occur in their source` };
}
