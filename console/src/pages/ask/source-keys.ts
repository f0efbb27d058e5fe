import type { DecisionView } from "../../../../src/contract/views.ts";
import type { Keys } from "../../shell/keys.tsx";
import { sourcesOf } from "./sources-of.ts";

/** What keys do with the sources of an answer: a number opens one, brackets turn from one to the next. */
export function sourceKeys(
  view: Pick<DecisionView, "claims"> | undefined,
  { at, onOpen }: { readonly at: number | null; readonly onOpen: (number: number) => void },
): Keys {
  const numbers = view === undefined ? [] : sourcesOf(view).map(({ number }) => number);
  const turn = (by: number) => (at !== null && numbers.includes(at + by) ? () => onOpen(at + by) : undefined);
  return {
    ...Object.fromEntries(numbers.slice(0, 9).map((number) => [String(number), () => onOpen(number)])),
    "[": turn(-1),
    "]": turn(1),
  };
}
