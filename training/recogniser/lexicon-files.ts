import { plainWord } from "../../src/guard/privacy/recogniser/tokens.ts";
import { hashWord, openWordFilter, wordFilterBytes } from "../../src/guard/privacy/recogniser/word-filter.ts";
import {
  bitOf,
  type FilterName,
  filterNames,
  type Lexicon,
  openLexicon,
} from "../../src/guard/privacy/recogniser/word-reading.ts";
import { literalWords } from "./fill-template.ts";
import type { WordLists } from "./word-lists.ts";

/** The bytes of each list, as a model file holds them. */
export type LexiconBytes = Readonly<Record<FilterName, Uint8Array>>;

/** Compiles the lists of words. */
export function compileLexicon(lists: WordLists, templates: readonly string[]): LexiconBytes {
  const common = new Set(lists.common);
  const places = wordsOf([...lists.cities, ...lists.countries]).filter((word) => word.length > 2);
  const words: Readonly<Record<FilterName, readonly string[]>> = {
    given: wordsOf(lists.names.flatMap(({ given }) => given)),
    family: wordsOf(lists.names.flatMap(({ family }) => family)),
    name: wordsOf(lists.loneNames),
    common: lists.common,
    ordinary: lists.ordinary.filter((word) => !common.has(word)),
    foreign: wordsOf(lists.foreign),
    place: places.filter((word) => !common.has(word)),
    cue: wordsOf(templates.flatMap(literalWords)).filter((word) => !common.has(word)),
  };
  return byName((name) => wordFilterBytes(new Set(words[name].map(plainWord))));
}

/** The lists as the tagger reads them. */
export function lexiconOf(bytes: LexiconBytes): Lexicon {
  return openLexicon(byName((name) => openWordFilter(bytes[name])));
}

const nameBits = bitOf("given") | bitOf("family");
const allNameBits = nameBits | bitOf("name") | bitOf("place");
const wordBits = bitOf("common") | bitOf("ordinary");

/**
 * The lists with holes, for training: three words of ten are in no list of names, some only in the long one, and some ordinary words are
 * unknown. What the tagger meets later stands in no list either.
 */
export function withHoles(lexicon: Lexicon): Lexicon {
  return {
    ...lexicon,
    classOf: (word) => {
      const known = lexicon.classOf(word);
      const chance = hashWord(`hole ${word}`).first % 100;
      if (chance < 30) return known & ~allNameBits;
      if (chance < 42) return known & ~nameBits;
      return chance < 47 ? known & ~wordBits : known;
    },
  };
}

function wordsOf(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => name.match(/\p{L}[\p{L}\p{M}]*(?:'[\p{L}\p{M}]+)?/gu) ?? []).filter((word) => word.length > 1);
}

function byName<T>(make: (name: FilterName) => T): Readonly<Record<FilterName, T>> {
  // One for each name of the list.
  return Object.fromEntries(filterNames.map((name) => [name, make(name)])) as Readonly<Record<FilterName, T>>;
}
