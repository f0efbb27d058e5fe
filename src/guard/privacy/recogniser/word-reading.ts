import { openCues, openWordLists, type WordBits } from "./cue-words.ts";
import { plainWord } from "./tokens.ts";
import { hashWord, mix, type WordFilter } from "./word-filter.ts";

/** The lists that are compiled into a model, in the order in which they stand there. */
export const filterNames = ["given", "family", "name", "common", "ordinary", "foreign", "place", "cue"] as const;
export type FilterName = (typeof filterNames)[number];

/** What is known of a word by lists. */
export interface Lexicon {
  /** Bits in the order of `filterNames`, the first the lowest. */
  readonly classOf: (word: string) => number;
  readonly lists: WordBits;
  readonly cues: WordBits;
}

/** Makes a lexicon of filters. */
export function openLexicon(filters: Readonly<Record<FilterName, WordFilter>>): Lexicon {
  const inOrder = filterNames.map((name) => filters[name]);
  return {
    ...{ lists: openWordLists(), cues: openCues() },
    classOf: (word) => {
      const hashes = hashWord(word);
      let bits = 0;
      for (let place = 0; place < inOrder.length; place += 1) if (inOrder[place]?.has(hashes)) bits |= 1 << place;
      return bits;
    },
  };
}

/** The bit of a list in `classOf`. */
export function bitOf(name: FilterName): number {
  return 1 << filterNames.indexOf(name);
}

/** What the tagger sees of one token by itself: numbers that are compared and hashed, nothing else. */
export interface WordReading {
  /** Tells the word itself; for a word that stands in no list of ordinary words only how it is written. */
  readonly identity: number;
  readonly shape: number;
  /** What lists know of it. */
  readonly known: number;
  readonly cue: number;
  readonly endings: readonly [two: number, three: number, four: number];
  readonly beginnings: readonly [two: number, three: number];
  /** 0 no letters, 1 lower case, 2 first letter upper, 3 all upper (two letters at least). */
  readonly letterCase: number;
}

/** Longest word that is looked at letter by letter for its shape. */
const longest = 40;

/** Reads tokens one by one; equal tokens are read once. Keep it no longer than a text: it holds the text's words. */
export function openWordReader(lexicon: Lexicon): (token: string) => WordReading {
  const { lists, cues } = lexicon;
  const vocabulary = bitOf("common") | bitOf("foreign") | bitOf("cue");
  const seen = new Map<string, WordReading>();
  return (token) => {
    const before = seen.get(token);
    if (before !== undefined) return before;
    const plain = plainWord(token);
    const shapeText = shapeOf(token);
    const shape = hashOf(shapeText);
    const isWord = shapeText[0] === "X" || shapeText[0] === "x" || shapeText[0] === "c";
    const inFilters = isWord ? lexicon.classOf(plain) : 0;
    const inLists = lists.get(plain) ?? 0;
    const cue = cues.get(plain) ?? 0;
    const isVocabulary = !isWord || (inFilters & vocabulary) !== 0 || inLists !== 0 || cue !== 0;
    const reading: WordReading = {
      identity: isVocabulary ? (isWord ? hashOf(plain) : shape) : mix(shape),
      ...{ shape, cue, known: inFilters | (inLists << filterNames.length) },
      endings: [hashOf(plain.slice(-2)), hashOf(plain.slice(-3)), hashOf(plain.slice(-4))],
      beginnings: [hashOf(plain.slice(0, 2)), hashOf(plain.slice(0, 3))],
      letterCase: caseOf(shapeText),
    };
    seen.set(token, reading);
    return reading;
  };
}

function hashOf(text: string): number {
  return hashWord(text).first | 0;
}

/** How a token is written: `Xx` Name, `XX` NAME, `X` N, `xXx` iPhone, `d3` 123, `d.` 1.5, `dx` 5th, a mark as itself, `c` a script without case. */
function shapeOf(token: string): string {
  const kinds = kindsOf(token);
  // A mark, or a run of one.
  if (kinds === "" || kinds === ".") return token.length > 1 ? `${token[0]}+` : token;
  return kinds === "d" ? `d${Math.min(token.length, 6)}` : kinds;
}

/** The kinds of a token's letters, where a run counts once and a run of capitals twice: that tells `NAME` from `N`. */
function kindsOf(token: string): string {
  let kinds = "";
  let runs = 0;
  let last = "";
  for (let at = 0; at < token.length && at < longest; at += 1) {
    const kind = kindOf(token.charCodeAt(at), token[at] ?? "");
    if (kind === "" || (kind === last && (kind !== "X" || kinds.endsWith("XX")))) continue;
    if (kind !== last) runs += 1;
    if (runs > 5) return `${kinds}+`;
    kinds += kind;
    last = kind;
  }
  return kinds;
}

function kindOf(unit: number, character: string): string {
  if (unit >= 0x61 && unit <= 0x7a) return "x";
  if (unit >= 0x41 && unit <= 0x5a) return "X";
  if (unit >= 0x30 && unit <= 0x39) return "d";
  if (unit < 0x80) return ".";
  if (/\p{N}/u.test(character)) return "d";
  if (!/\p{L}/u.test(character)) return /\p{M}/u.test(character) ? "" : ".";
  if (character.toLowerCase() !== character) return "X";
  return character.toUpperCase() !== character ? "x" : "c";
}

function caseOf(shape: string): number {
  if (shape === "XX") return 3;
  if (shape.includes("X")) return 2;
  return shape.includes("x") ? 1 : 0;
}
