import { onePpm } from "../../contract/words.ts";

/** How alike two texts are, in parts per million: F1 over their words, each counted as often as it stands (the measure of SQuAD). */
export function proseAlikePpm(one: string, other: string): number {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  if (left.length === 0 && right.length === 0) return onePpm;
  const counts = new Map<string, number>();
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of right) {
    const count = counts.get(word) ?? 0;
    if (count > 0) common += 1;
    counts.set(word, count - 1);
  }
  return Math.round((onePpm * 2 * common) / (left.length + right.length));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
