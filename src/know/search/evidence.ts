import { analyse } from "./analyse.ts";
import type { Question } from "./question.ts";

/** The evidence of a passage is below 1 whatever it holds. */
const most = 0.999;

/**
 * How far a passage answers to a question, from 0 to 0.999: the share of the question's words that occur in the passage or in the
 * headings above it. A word of several parts occurs where it stands as it is, or where all of its parts do. It depends on nothing but
 * the two texts, so it tells nothing of other documents.
 */
export function evidenceOf({ words }: Question, text: string): number {
  if (words.length === 0) return 0;
  const held = new Set(analyse(text).flat());
  const found = words.filter(
    ([whole = "", ...parts]) => held.has(whole) || (parts.length > 0 && parts.every((part) => held.has(part))),
  );
  return Math.min(found.length / words.length, most);
}
