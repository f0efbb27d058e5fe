import { type Dice, drawSign } from "./dice.ts";

/** No word of a language that is written in Latin letters has these two beside each other: by them a made-up word is known as ours. */
export const wordMark = "qv";

const onsets = "bdfghklmnprtwz";
const vowels = "aeiou";
// No `s`: a word and its plural would be two of ours.
const codas = "bdgklmnprt";

/** A made-up word in small letters that can be spoken, such as `taqvirel`: it holds the mark once, and grows with `extra`. */
export function drawWord(dice: Dice, extra: number): string {
  let word = drawSign(dice, onsets) + drawSign(dice, vowels) + wordMark;
  for (let i = 0; i < 2 + extra; i += 1) word += drawSign(dice, vowels) + drawSign(dice, codas);
  return word;
}

/** A made-up word in the letter case of what it stands for: `TAQVIREL` for `JANE`, `taqvirel` for `jane`, else `Taqvirel`. */
export function casedLike(word: string, original: string): string {
  const upper = original.toUpperCase();
  const lower = original.toLowerCase();
  const hasCase = upper !== lower;
  if (hasCase && original === upper && /\p{L}.*\p{L}/su.test(original)) return word.toUpperCase();
  if (hasCase && original === lower) return word;
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The parts of a text between its spaces. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** Whether a word of a name is only the letter that it begins with, as in `J. Doe`. */
export function isInitial(word: string): boolean {
  return /^\p{L}\p{M}*\.?,?$/u.test(word) && word.toUpperCase() !== word.toLowerCase();
}

const legalForms = new Set("gmbh ag kg se inc ltd llc llp plc corp sarl sas bv nv srl oy".split(" "));

/** The legal form at the end of an organisation's name, such as `Ltd`, as it is written there; it is nobody's secret. */
export function legalFormOf(words: readonly string[]): string | null {
  const last = words.length > 1 ? (words.at(-1) ?? "") : "";
  return legalForms.has(last.replace(/\.$/, "").toLowerCase()) ? last : null;
}
