import type { CollectionSettings } from "../../contract/knowledge.ts";
import { analyse } from "./analyse.ts";
import type { Question } from "./question.ts";

/** The evidence of a passage is below 1 whatever it holds. */
const most = 0.999;

/** A passage as evidence is measured in it, and how rare words are where the asker may look. */
export interface Weighing {
  /** With the headings above it. */
  readonly text: string;
  /** How a collection scores passages. */
  readonly settings: Pick<CollectionSettings, "k1" | "b" | "passageTerms">;
  /** How rare a term is among what the asker may see: the logarithm of how few of the passages hold it. */
  readonly rarityOf: (term: string) => number;
  /** How rare a term is that stands in none of them. */
  readonly rarityOfUnseen: number;
}

/**
 * How far a passage answers to a question, from 0 to 0.999. Each word counts by how rare it is and by how much the passage is about it, as
 * BM25 says of the passage alone; what is reached is set against what the question asks for, with one word more that nobody has
 * ever seen: a single common word that is found proves little. Half of it means that about half of what was asked stands there.
 */
export function evidenceOf({ words }: Question, { text, settings, rarityOf, rarityOfUnseen }: Weighing): number {
  if (words.length === 0) return 0;
  const counts = new Map<string, number>();
  const tokens = analyse(text);
  for (const terms of tokens) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const { k1, b, passageTerms } = settings;
  const bend = k1 * (1 - b + (b * tokens.length) / passageTerms);
  let asked = rarityOfUnseen;
  let reached = 0;
  for (const word of words) {
    const [whole = ""] = word;
    const rarity = rarityOf(whole);
    const count = countOf(word, counts);
    asked += rarity;
    reached += (rarity * count * (k1 + 1)) / (count + bend);
  }
  // Bent so that what is said again and again in a short passage goes near 1 and never beyond.
  return asked === 0 ? 0 : Math.min(1 - Math.exp((-2 * reached) / asked), most);
}

/** How often a word stands there as it is; a word of several parts also where all of them do, however they are joined. */
function countOf([whole = "", ...parts]: readonly string[], counts: ReadonlyMap<string, number>): number {
  const own = counts.get(whole) ?? 0;
  if (parts.length === 0) return own;
  return Math.max(own, Math.min(...parts.map((part) => counts.get(part) ?? 0)));
}
