/**
 * The stem of an English word by the algorithm Porter 2 (Snowball English). The word is in lower case without accents; what is shorter
 * than three letters, or holds anything but a to z, is its own stem. Linear in the word's length.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const special = specials.get(word);
  if (special !== undefined) return special;
  const marked = markConsonants(word);
  const regions = regionsOf(marked);
  const singular = removePlural(marked);
  if (kept.has(singular)) return singular;
  return removeE(
    removeLast(shorten(shortenLong(endInI(removePast(singular, regions)), regions), regions), regions),
    regions,
  ).toLowerCase();
}

/** Where the two regions of a word begin: only what lies in them may be taken off. */
interface Regions {
  readonly r1: number;
  readonly r2: number;
}

/** Ends and what stands in their place, by the last letter; of several that fit, the longest is taken. */
type Ends = ReadonlyMap<string, readonly End[]>;
type End = readonly [end: string, instead: string];

function byLastLetter(ends: readonly End[]): Ends {
  return Map.groupBy(ends, ([end]) => end.at(-1) ?? "");
}

const specials: ReadonlyMap<string, string> = new Map(
  (
    "skis:ski skies:sky idly:idl gently:gentl ugly:ugli early:earli only:onli singly:singl dying:die lying:lie tying:tie " +
    "sky:sky news:news howe:howe atlas:atlas cosmos:cosmos bias:bias andes:andes"
  )
    .split(" ")
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)]),
);
const kept: ReadonlySet<string> = new Set("inning outing canning herring earring proceed exceed succeed".split(" "));

/** A `y` that is a consonant is written `Y` until the end. */
function markConsonants(word: string): string {
  if (!word.includes("y")) return word;
  let marked = "";
  for (const letter of word) marked += letter === "y" && (marked === "" || isVowel(marked.at(-1))) ? "Y" : letter;
  return marked;
}

function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && letter !== "" && "aeiouy".includes(letter);
}

function regionsOf(word: string): Regions {
  const prefix = /^(?:gener|commun|arsen)/.exec(word)?.[0];
  const r1 = prefix?.length ?? afterFirstConsonant(word, 0);
  return { r1, r2: afterFirstConsonant(word, r1) };
}

/** After the first consonant that follows a vowel. */
function afterFirstConsonant(word: string, from: number): number {
  for (let at = from + 1; at < word.length; at += 1) if (!isVowel(word[at]) && isVowel(word[at - 1])) return at + 1;
  return word.length;
}

function removePlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[sd]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/(?:us|ss)$/.test(word) || !word.endsWith("s")) return word;
  return /[aeiouy].*.s$/.test(word) ? word.slice(0, -1) : word;
}

function removePast(word: string, regions: Regions): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed !== null) return eed.index >= regions.r1 ? `${word.slice(0, eed.index)}ee` : word;
  const end = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (end === null) return word;
  const rest = word.slice(0, end.index);
  if (!/[aeiouy]/.test(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  // `added` is of `add`, while `hopped` is of `hop`.
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return /^[aeo]..$/.test(rest) ? rest : rest.slice(0, -1);
  return isShort(rest, regions) ? `${rest}e` : rest;
}

/** Short: nothing of it can be taken off, and it ends in a short syllable. */
function isShort(word: string, { r1 }: Regions): boolean {
  return r1 >= word.length && endsShort(word);
}

function endsShort(word: string): boolean {
  return /^[aeiouy][^aeiouy]$/.test(word) || /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word);
}

function endInI(word: string): string {
  return /.[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word;
}

const longEnds = byLastLetter([
  ...([
    ["ational", "ate"],
    ["ization", "ize"],
    ["fulness", "ful"],
    ["ousness", "ous"],
    ["iveness", "ive"],
  ] as const),
  ...([
    ["tional", "tion"],
    ["biliti", "ble"],
    ["lessli", "less"],
    ["entli", "ent"],
    ["ation", "ate"],
    ["alism", "al"],
  ] as const),
  ...([
    ["aliti", "al"],
    ["ousli", "ous"],
    ["iviti", "ive"],
    ["fulli", "ful"],
    ["enci", "ence"],
    ["anci", "ance"],
  ] as const),
  ...([
    ["abli", "able"],
    ["izer", "ize"],
    ["ator", "ate"],
    ["alli", "al"],
    ["bli", "ble"],
  ] as const),
]);

function shortenLong(word: string, { r1 }: Regions): string {
  const found = replaced(word, longEnds, r1);
  if (found !== null) return found;
  const end = /(?:(?<=l)ogi|(?<=[cdeghkmnrt])li)$/.exec(word);
  if (end === null || end.index < r1) return word;
  return end[0] === "ogi" ? word.slice(0, -1) : word.slice(0, -2);
}

const ends = byLastLetter([
  ...([
    ["ational", "ate"],
    ["tional", "tion"],
    ["alize", "al"],
    ["icate", "ic"],
    ["iciti", "ic"],
    ["ical", "ic"],
  ] as const),
  ...([
    ["ness", ""],
    ["ful", ""],
  ] as const),
]);

function shorten(word: string, { r1, r2 }: Regions): string {
  const found = replaced(word, ends, r1);
  if (found !== null) return found;
  return word.endsWith("ative") && word.length - 5 >= r2 ? word.slice(0, -5) : word;
}

/** `null` where no end fits; the word itself where the longest that fits lies outside the region. */
function replaced(word: string, list: Ends, from: number): string | null {
  for (const [end, instead] of list.get(word.at(-1) ?? "") ?? []) {
    if (!word.endsWith(end)) continue;
    const at = word.length - end.length;
    return at >= from ? word.slice(0, at) + instead : word;
  }
  return null;
}

const lastEnd = /(?:ement|ment|ance|ence|able|ible|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|(?<=[st])ion)$/;

function removeLast(word: string, { r2 }: Regions): string {
  const end = lastEnd.exec(word);
  return end !== null && end.index >= r2 ? word.slice(0, end.index) : word;
}

function removeE(word: string, { r1, r2 }: Regions): string {
  const at = word.length - 1;
  if (word.endsWith("e")) return at >= r2 || (at >= r1 && !endsShort(word.slice(0, -1))) ? word.slice(0, -1) : word;
  return word.endsWith("ll") && at >= r2 ? word.slice(0, -1) : word;
}
