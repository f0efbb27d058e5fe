import { openLetterChain } from "./letter-chain.ts";
import { pickWeighted, type Random } from "./random.ts";
import type { NamesOf, WordLists } from "./word-lists.ts";

/** Makes names of people, in the ways in which they are written. */
export interface People {
  readonly given: () => string;
  readonly family: () => string;
  readonly full: () => string;
  /** Any of the three. */
  readonly any: () => string;
}

const particles = [
  "van",
  "van der",
  "van den",
  "de",
  "de la",
  "de los",
  "da",
  "dos",
  "di",
  "del",
  "von",
  "von der",
  "al",
  "el",
  "bin",
  "ben",
  "le",
  "la",
  "af",
  "ter",
];
const suffixes = ["Jr.", "Jr", "Sr.", "II", "III", "IV"];
const japanese = [
  "a",
  "i",
  "u",
  "e",
  "o",
  "ka",
  "ki",
  "ku",
  "ko",
  "sa",
  "shi",
  "su",
  "ta",
  "chi",
  "to",
  "na",
  "no",
  "ha",
  "hi",
  "ho",
  "ma",
  "mi",
  "mo",
  "ya",
  "yo",
  "yu",
  "ra",
  "ri",
  "ru",
  "ro",
];

/** Opens a source of names. English ones are a fourth of them; some stand in no list of any language. */
export function openPeople(random: Random, lists: Pick<WordLists, "names" | "loneNames">): People {
  const { names, loneNames } = lists;
  const english = names.filter(({ locale }) => /^en(_|$)/.test(locale) && locale !== "en_AU_ocker");
  const madeGiven = openLetterChain(names.flatMap(({ given }) => given));
  const madeFamily = openLetterChain(names.flatMap(({ family }) => family));
  const made = openLetterChain(loneNames);
  const language = (): NamesOf => (random.isLucky(0.25) ? random.pick(english) : random.pick(names));
  const givenOf = (names: NamesOf): string =>
    pickWeighted<() => string>(random, [
      [68, () => random.pick(names.given)],
      [12, () => random.pick(loneNames)],
      [8, () => madeGiven(random)],
      [5, () => made(random)],
      [3, () => capital(Array.from({ length: 2 + random.below(3) }, () => random.pick(japanese)).join(""))],
      [2, () => `${random.pick(names.given)}-${random.pick(names.given)}`],
      [2, () => `${random.pick(names.given)} ${random.pick(names.given)}`],
    ])();
  const familyOf = (names: NamesOf): string =>
    pickWeighted<() => string>(random, [
      [62, () => random.pick(names.family)],
      [14, () => random.pick(loneNames)],
      [8, () => madeFamily(random)],
      [5, () => made(random)],
      [3, () => capital(Array.from({ length: 2 + random.below(3) }, () => random.pick(japanese)).join(""))],
      [2, () => `${random.pick(names.family)}-${random.pick(names.family)}`],
      [3, () => `${random.pick(particles)} ${random.pick(names.family)}`],
      [1, () => `O'${random.pick(names.family)}`],
      [1, () => `${random.pick(["Mc", "Mac", "D'", "St. "])}${random.pick(names.family)}`],
      [1, () => `${random.pick(names.family)} ${random.pick(names.family)}`],
    ])();
  const initial = () => random.pick([..."ABCDEFGHIJKLMNOPRSTVWZ"]);
  const full = (): string => {
    const names = language();
    const [given, family] = [givenOf(names), familyOf(names)];
    const name = pickWeighted(random, [
      [60, `${given} ${family}`],
      [8, `${given} ${initial()}. ${family}`],
      [8, `${given} ${initial()} ${family}`],
      [4, `${given} ${givenOf(names)} ${family}`],
      [3, `${given} ${family} ${familyOf(names)}`],
      [2, `${initial()}. ${family}`],
      [2, `${initial()}. ${initial()}. ${family}`],
      [1, `${initial()}.${initial()}. ${family}`],
      [1, `${initial()} ${initial()} ${family}`],
      [2, `${given} ${initial()}`],
      [1, `${given} ${initial()}.`],
      [2, `${given} ${family} ${random.pick(suffixes)}`],
      [3, `${family} ${given}`],
      [2, `${family}, ${given}`],
    ]);
    return random.isLucky(0.03) ? name.toUpperCase() : random.isLucky(0.02) ? name.replace(family, family.toUpperCase()) : name;
  };
  const given = () => cased(random, givenOf(language()));
  const family = () => cased(random, familyOf(language()));
  return {
    given,
    family,
    full,
    any: () =>
      pickWeighted(random, [
        [45, full],
        [35, given],
        [20, family],
      ])(),
  };
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

function cased(random: Random, name: string): string {
  return random.isLucky(0.03) ? name.toUpperCase() : name;
}
