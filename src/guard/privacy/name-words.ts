import { wordsOfTerm } from "./detect/terms.ts";
import { wordsOf } from "./stand-ins/words.ts";

/** The words of a name, each with its signs: `Anna-Lena` is one of three. */
export type NameWords = readonly (readonly string[])[];

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

// No given name or family name is one of these.
const titles = setOf(
  "mr mrs ms miss mx dr prof professor sir madam dame rev captain capt sgt lt herr frau fraulein hr fru monsieur madame mademoiselle mme mlle senor senora senorita sr sra srta signor signora signorina sig dott dottssa avv ing dhr mevrouw mevr mw meneer domnul doamna shri smt dipl",
);
// People are called so as well: both readings count.
const maybeTitles = setOf("don dona lord lady judge justice senator col maj gen m p pan pani bay bayan kum dl fr");
const suffixes = setOf("jr sr ii iii iv phd md mba esq dds jd msc bsc rn qc kc obe mbe cbe junior senior");

/**
 * The words of a person's name without titles and suffixes, given names first: `Roe, Dr. Jane` is `Jane Roe`. Two readings where the first
 * word may be a title or a name; none where fewer than two words are left, or where it is no name of one person. The plainest comes first.
 */
export function readName(surface: string): readonly NameWords[] {
  const parts = surface
    .split(",")
    .map((part) => withoutSuffixes(wordsOf(part)))
    .filter((words) => words.length > 0);
  const [first = [], second] = parts;
  if (parts.length > 2) return [];
  const words = second === undefined ? first : [...second, ...first];
  const readings = [withoutTitles(words, isAnyTitle), withoutTitles(words, isTitle)].filter((one) => one.length > 1);
  const [plain, other] = readings;
  if (plain === undefined) return [];
  return [plain, ...(other === undefined || other.length === plain.length ? [] : [other])].map((one) => one.map(wordsOfTerm));
}

/** What readings of one name have in common, however it was written. */
export function keyOfName(words: NameWords): string {
  return words.map((word) => word.filter((sign) => /[\p{L}\p{N}]/u.test(sign)).join("")).join(" ");
}

const plainOf = (word: string): string =>
  wordsOfTerm(word.normalize("NFD").replaceAll(/\p{M}/gu, ""))
    .filter((sign) => sign !== ".")
    .join("");
const isTitle = (word: string): boolean => titles.has(plainOf(word));
const isAnyTitle = (word: string): boolean => isTitle(word) || maybeTitles.has(plainOf(word));

function withoutTitles(words: readonly string[], isOne: (word: string) => boolean): readonly string[] {
  const first = words.findIndex((word) => !isOne(word));
  return first === -1 ? [] : words.slice(first);
}

/** Also where nothing else stands between two commas, as in `Jane Roe, PhD`. */
function withoutSuffixes(words: readonly string[]): readonly string[] {
  let end = words.length;
  while (end > 0 && suffixes.has(plainOf(words[end - 1] ?? ""))) end -= 1;
  return words.slice(0, end);
}
