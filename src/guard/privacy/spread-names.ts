import { findTerms } from "./detect/find-structured.ts";
import { compileWords, type TermInWords, wordsOfTerm } from "./detect/terms.ts";
import { stricter } from "./policy.ts";
import type { Piece } from "./settle.ts";
import type { FindAgain, SpreadValue } from "./spread.ts";
import { wordsOf } from "./stand-ins/words.ts";

/** Longer ones are no names: they are what was widened, or something in base64. */
const longest = 200;

/**
 * Makes a search for names of persons of two or more words, whatever their letter case, the white space between, look-alikes, escapes and
 * base64, and in the spellings of lists, handles and files: `Doe, Jane`, `jane.doe`, `Jane_Doe`, `J. Doe`, `jdoe@`. A recogniser that found
 * one spelling may have missed another. Linear in the text, whatever their number.
 */
export function searchNames(values: ReadonlyMap<string, SpreadValue>): FindAgain {
  const names = [...values]
    .filter(([surface, { class: of }]) => of === "person" && surface.length <= longest && hasTwoWords(surface))
    // Of names that are the same but for their spelling the strictest treatment holds.
    .sort(([, { treatment: one }], [, { treatment: other }]) => (one === other ? 0 : stricter(one, other) === one ? -1 : 1))
    .map(([surface, value]) => ({ surface, value }));
  if (names.length === 0) return () => [];
  const known = names.map(({ surface, value }) => {
    const words = wordsOf(surface).map(wordsOfTerm);
    return { value, words, own: words.flat().join(" ") };
  });
  // Each in its own spelling first: what is one name's own is no other's way of writing.
  const own = known.map(({ words }, at) => toTerm(words.flat(), at));
  const others = known.flatMap(({ words }, at) => [...otherOrders(words), ...handlesOf(words)].map((other) => toTerm(other, at)));
  const terms = compileWords([...own, ...others]);
  return (text) =>
    findTerms(text, terms).flatMap(({ start, end, kind, canonical }): readonly Piece[] => {
      const name = known[Number(kind)];
      if (name === undefined) return [];
      if (canonical === name.own) return [{ ...name.value, start, end }];
      return piecesOf({ text, start, end, value: { ...name.value, canonical } });
    });
}

function hasTwoWords(surface: string): boolean {
  return wordsOf(surface).filter((word) => /\p{L}/u.test(word)).length > 1;
}

/** What may stand between the words of a name: `+` in the form of a URL, the others in handles and names of files. */
const joiners = ["+", "_", ".", "-"];
/** Shorter family names are too often the end of another word behind an initial. */
const shortestFamily = 3;

const toTerm = (words: readonly string[], at: number): TermInWords => ({ words, class: "person", kind: String(at) });

type Words = readonly (readonly string[])[];

/** The words of a name of more than two stand beside its first and last ones alone as well. */
function otherOrders(words: Words): readonly (readonly string[])[] {
  const [first = [], last = []] = [words[0], words.at(-1)];
  const short = words.length > 2 ? [first, last] : null;
  return [
    [...last, ",", ...words.slice(0, -1).flat()],
    ...(short === null ? [] : [short.flat(), [...last, ",", ...first]]),
    ...joiners.flatMap((joiner) => [
      joined(words, joiner),
      [...last, joiner, ...first],
      ...(short === null ? [] : [joined(short, joiner)]),
    ]),
  ];
}

const joined = (words: Words, joiner: string): readonly string[] =>
  words.flatMap((word, at) => (at === 0 ? word : [joiner, ...word]));

/** `J. Doe`, and with an `@` beside it `jdoe`, `j.doe`, `j_doe` and `janedoe`. */
function handlesOf(words: Words): readonly (readonly string[])[] {
  const [[first = ""] = [], [last = ""] = []] = [words[0], words.at(-1)];
  const initial = /^\p{L}/u.exec(first)?.[0];
  if (initial === undefined || last.length < shortestFamily) return [];
  const handles = [[initial + last], [first + last], [initial, ".", last], [initial, "_", last]];
  return [
    [initial, ".", last],
    ...handles.flatMap((handle) => [
      [...handle, "@"],
      ["@", ...handle],
    ]),
  ];
}

interface Spelled {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly value: SpreadValue;
}

/**
 * The pieces of a name in another spelling: each of its words, so that they get the words of the name's own stand-in and what stands
 * between them stays. With an initial all of it is one piece, and so is what is escaped or in base64, which may hold more than the name.
 */
function piecesOf({ text, start, end, value }: Spelled): readonly Piece[] {
  const there = text.slice(start, end);
  if (wordsOfTerm(there).join(" ") !== value.canonical) return [{ ...value, start, end }];
  const words = [...there.matchAll(/[\p{L}\p{M}\p{N}'’]+/gu)].map(({ 0: word, index }) => ({ word, at: start + index }));
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return [{ ...value, start, end }];
  if (words.some(({ word }) => word.length === 1)) return [{ ...value, start: first.at, end: last.at + last.word.length }];
  return words.map(({ word, at }) => ({ ...value, start: at, end: at + word.length, canonical: word.toLowerCase() }));
}
